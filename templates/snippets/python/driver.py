"""Makes the calls of one vector with the rendered loop beside it (protocol: ``idempact.vectors.client``)."""

import json
import logging
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime

import httpx
from retry_loop import ApiError, Cancelled, KeyReused, OutcomeUnknown, send

VARIABLES = os.environ


def call(client: httpx.Client, key: str | None) -> dict[str, object]:
    """The report on one call."""
    more = {}
    if first := VARIABLES.get("VECTOR_FIRST_SENT"):
        more["first_sent"] = parsedate_to_datetime(first)
    cancelled = threading.Event()
    timer = threading.Timer(int(VARIABLES.get("VECTOR_CANCEL_MS", 0)) / 1000, cancelled.set)
    timer.daemon = True
    if "VECTOR_CANCEL_MS" in VARIABLES:
        timer.start()
    ok, kind, status = False, "", None
    start = time.monotonic()
    try:
        body = json.loads(VARIABLES["VECTOR_BODY"])
        answer = send(client, VARIABLES["VECTOR_URL"], body, key=key, cancelled=cancelled, **more)
        ok, kind, status = True, "success", answer.status_code
    except KeyReused as error:
        kind, status = "mismatch", error.response.status_code
    except ApiError as error:
        kind, status = "refused", error.response.status_code
    except OutcomeUnknown as error:
        kind, status = "unknown", error.response.status_code if error.response is not None else None
    except Cancelled:
        kind = "cancelled"
    except httpx.RequestError:
        kind = "not-sent"
    elapsed = round(1000 * (time.monotonic() - start))
    return {"ok": ok, "kind": kind, "status": status, "elapsed_ms": elapsed}


def main() -> None:
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    calls, key = int(VARIABLES.get("VECTOR_CALLS", 1)), VARIABLES.get("VECTOR_KEY")
    keys = [key] * calls if calls == 1 or key is None else [f"{key}-{number}" for number in range(1, calls + 1)]
    workers = calls if "VECTOR_AT_ONCE" in VARIABLES else 1
    with httpx.Client(trust_env=False) as client, ThreadPoolExecutor(workers) as pool:
        if warm := VARIABLES.get("VECTOR_WARM_URL"):
            client.get(warm)
        for report in pool.map(lambda each: call(client, each), keys):
            print(json.dumps(report))


main()
