"""Makes one call with the rendered loop beside it, for the vectors (protocol: ``idempact.vectors.client``)."""

import json
import logging
import os
import sys
import time

import httpx
from retry_loop import ApiError, KeyReused, OutcomeUnknown, send


def main() -> None:
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    ok, kind, status = False, "", None
    with httpx.Client(trust_env=False) as client:
        if warm := os.environ.get("VECTOR_WARM_URL"):
            client.get(warm)
        start = time.monotonic()
        try:
            body = json.loads(os.environ["VECTOR_BODY"])
            answer = send(client, os.environ["VECTOR_URL"], body, key=os.environ.get("VECTOR_KEY"))
            ok, kind, status = True, "success", answer.status_code
        except KeyReused as error:
            kind, status = "mismatch", error.response.status_code
        except ApiError as error:
            kind, status = "refused", error.response.status_code
        except OutcomeUnknown as error:
            kind, status = "unknown", error.response.status_code if error.response is not None else None
        except httpx.RequestError:
            kind = "not-sent"
        elapsed = round(1000 * (time.monotonic() - start))
    print(json.dumps({"ok": ok, "kind": kind, "status": status, "elapsed_ms": elapsed}))


main()
