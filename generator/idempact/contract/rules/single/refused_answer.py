"""A request gets an answer that breaks what a key is for.

Why: executed while the first request still runs, a retry has a second effect; replayed in spite of other content, a
caller is told that a request was done which never ran.
Instead: in_flight: reject, wait or accept; mismatch: reject with a status and a code.
Source: the expired IETF draft (draft-ietf-httpapi-idempotency-key-header-07) answers both with an error; the words
execute and ignore (in_flight), replay and ignore (mismatch) are known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/refused-answer"
SEVERITY = Severity.ERROR
