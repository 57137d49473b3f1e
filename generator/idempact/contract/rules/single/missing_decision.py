"""A decision that only the API's owner can make is left out.

Why: each of these is a place where real APIs differ, so any default would be a guess that readers take for a promise;
stored failures that nobody decided are the best known case.
Instead: answer the question that the finding asks; an observer may write not-documented.
Source: the fields that the example marks with "!" are never defaulted.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/missing-decision"
SEVERITY = Severity.ERROR
