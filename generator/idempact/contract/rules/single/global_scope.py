"""A key is unique within the whole service, whoever sends it.

Why: two callers who send the same key would get each other's results, with what is in them.
Instead: bind a key to who owns it, as scope: [account, operation].
Source: keys come from callers, who know nothing of each other; scope: global is known and refused.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/global-scope"
SEVERITY = Severity.ERROR
