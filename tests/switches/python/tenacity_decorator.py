"""tenacity's decorator around httpx and raise_for_status."""

import httpx
from call import BODY, HEADERS, URL, report
from tenacity import retry, stop_after_attempt, wait_random_exponential


@retry(stop=stop_after_attempt(4), wait=wait_random_exponential(0.1, max=0.8), reraise=True)
def call() -> int:
    answer = client.post(URL, content=BODY, headers=HEADERS)
    return answer.raise_for_status().status_code


with httpx.Client(trust_env=False, timeout=httpx.Timeout(1, connect=0.5)) as client:
    report(call)
