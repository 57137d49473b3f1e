"""A YAML file is not YAML.

Why: what a reader can't parse has no meaning that anyone could check.
Instead: mend the line named: mostly it is a tab in an indent, a text that needs quotes, or a bracket that isn't
closed.
Source: YAML 1.2.2.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "text/yaml-syntax"
SEVERITY = Severity.ERROR
