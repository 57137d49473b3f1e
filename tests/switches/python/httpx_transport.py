"""httpx over the transport of httpx-retries, with POST allowed."""

import httpx
from call import BODY, HEADERS, URL, report
from httpx_retries import Retry, RetryTransport

retry = Retry(total=3, backoff_factor=0.1, max_backoff_wait=0.8, allowed_methods=["POST"])
with httpx.Client(transport=RetryTransport(retry=retry), timeout=httpx.Timeout(1, connect=0.5)) as client:
    report(lambda: client.post(URL, content=BODY, headers=HEADERS).status_code)
