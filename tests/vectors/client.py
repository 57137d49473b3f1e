"""A client on the standard library alone, as a stranger might write one for ``idempact vectors run``.

Its words are arguments: header, in-flight status and code, mismatch code. ``careless`` makes a new key per attempt.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

header, in_flight_status, in_flight_code, mismatch_code, *habits = sys.argv[1:]
key, body = os.environ.get("VECTOR_KEY"), os.environ["VECTOR_BODY"].encode()
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def attempt(number: int) -> tuple[int | None, bytes]:
    request = urllib.request.Request(os.environ["VECTOR_URL"], body, {"Content-Type": "application/json"})
    if key is not None:
        request.add_header(header, f"{key}-{number}" if "careless" in habits else key)
    try:
        with opener.open(request, timeout=1) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return None, b""


start, status, text = time.monotonic(), None, b""
for number in range(1, 5):
    status, text = attempt(number)
    again = status in (None, 502, 503, 504) or (status == int(in_flight_status) and in_flight_code.encode() in text)
    if status == 201 or number == 4 or not again:
        break
    wait = random.uniform(0, 0.1)
    print(f"retry attempt={number} wait_ms={round(1000 * wait)}", file=sys.stderr)
    time.sleep(wait)
kind = (
    "success" if status == 201 else "mismatch" if mismatch_code.encode() in text else "refused" if status else "unknown"
)
elapsed = round(1000 * (time.monotonic() - start))
print(json.dumps({"ok": status == 201, "status": status, "kind": kind, "elapsed_ms": elapsed}))
