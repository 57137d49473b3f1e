"""requests over urllib3's Retry, as most guides mount it; with ``post`` for every method."""

import sys

import requests
from call import BODY, HEADERS, URL, report
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

statuses = (429, 500, 502, 503, 504)
plain = Retry(total=3, backoff_factor=0.1, backoff_max=0.8, status_forcelist=statuses)
session = requests.Session()
session.trust_env = False
session.mount("http://", HTTPAdapter(max_retries=plain.new(allowed_methods=None) if "post" in sys.argv else plain))
report(lambda: session.post(URL, data=BODY, headers=HEADERS, timeout=(0.5, 1)).status_code)
