"""Makes the one call that the vectors ask for, and reports on it (protocol: idempact.vectors.client)."""

import json
import os
import time
from collections.abc import Callable, Mapping

URL = os.environ["VECTOR_URL"]
KEY = os.environ.get("VECTOR_KEY")
BODY = os.environ["VECTOR_BODY"].encode()
HEADERS: Mapping[str, str] = {"Content-Type": "application/json", **({"Idempotency-Key": KEY} if KEY else {})}
DEADLINE = 1.5 if os.environ["VECTOR_PROFILE"] == "tight" else 5.0


def report(call: Callable[[], int]) -> None:
    """Runs *call*, which returns the last answer's status, or raises an error that may hold a ``response``."""
    start = time.monotonic()
    try:
        status = call()
    except Exception as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
    ok = status is not None and 200 <= status < 300
    elapsed = round(1000 * (time.monotonic() - start))
    print(json.dumps({"ok": ok, "status": status, "kind": "", "elapsed_ms": elapsed}))
