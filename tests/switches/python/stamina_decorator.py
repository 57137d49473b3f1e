"""stamina's decorator around httpx and raise_for_status."""

import httpx
import stamina
from call import BODY, DEADLINE, HEADERS, URL, report


@stamina.retry(on=httpx.HTTPError, attempts=4, timeout=DEADLINE, wait_initial=0.1, wait_max=0.8, wait_jitter=0.1)
def call() -> int:
    answer = client.post(URL, content=BODY, headers=HEADERS)
    return answer.raise_for_status().status_code


with httpx.Client(trust_env=False, timeout=httpx.Timeout(1, connect=0.5)) as client:
    report(call)
