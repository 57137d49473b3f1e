"""Makes the calls of one vector with the rendered loop beside it (protocol: ``idempact.vectors.client``)."""

import asyncio
import json
import logging
import os
import sys
import time
from email.utils import parsedate_to_datetime

import httpx
from retry_loop import ApiError, KeyReused, OutcomeUnknown, send

VARIABLES = os.environ


async def call(client: httpx.AsyncClient, key: str | None) -> None:
    """Makes one call and prints the report on it."""
    more = {}
    if first := VARIABLES.get("VECTOR_FIRST_SENT"):
        more["first_sent"] = parsedate_to_datetime(first)
    ok, kind, status = False, "", None
    start = time.monotonic()
    task = asyncio.create_task(
        send(client, VARIABLES["VECTOR_URL"], json.loads(VARIABLES["VECTOR_BODY"]), key=key, **more)
    )
    if "VECTOR_CANCEL_MS" in VARIABLES:
        asyncio.get_running_loop().call_later(int(VARIABLES["VECTOR_CANCEL_MS"]) / 1000, task.cancel)
    try:
        answer = await task
        ok, kind, status = True, "success", answer.status_code
    except KeyReused as error:
        kind, status = "mismatch", error.response.status_code
    except ApiError as error:
        kind, status = "refused", error.response.status_code
    except OutcomeUnknown as error:
        kind, status = "unknown", error.response.status_code if error.response is not None else None
    except asyncio.CancelledError as error:
        kind = "unknown" if getattr(error, "__notes__", ()) else "cancelled"
    except httpx.RequestError:
        kind = "not-sent"
    elapsed = round(1000 * (time.monotonic() - start))
    print(json.dumps({"ok": ok, "kind": kind, "status": status, "elapsed_ms": elapsed}))


async def main() -> None:
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    calls, key = int(VARIABLES.get("VECTOR_CALLS", 1)), VARIABLES.get("VECTOR_KEY")
    keys = [key] * calls if calls == 1 or key is None else [f"{key}-{number}" for number in range(1, calls + 1)]
    async with httpx.AsyncClient(trust_env=False) as client:
        if warm := VARIABLES.get("VECTOR_WARM_URL"):
            await client.get(warm)
        if "VECTOR_AT_ONCE" in VARIABLES:
            await asyncio.gather(*(call(client, each) for each in keys))
        else:
            for each in keys:
                await call(client, each)


asyncio.run(main())
