"""A field says undecided.

Why: a draft may have gaps, a contract may not: nobody can build on an open question.
Instead: answer the question that the finding asks.
Source: init writes the word where it can't know.
"""

from idempact.text.diagnostic import Severity

RULE = "contract/undecided-decision"
SEVERITY = Severity.ERROR
