"""A key's template holds personal or secret data.

Why: keys are written into logs, traces and support tickets on both sides, and kept for as long as the record is.
Instead: the identifier of the customer, card or order; the data itself stays in the body.
Source: a key is compared and stored as it is, and is no place to hide anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.placeholders import Placeholder, placeholders
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/personal-template"
SEVERITY = Severity.WARNING
_PERSONAL = frozenset(
    {"email", "mail", "phone", "msisdn", "ssn", "iban", "pan", "cvc", "cvv", "passport", "birthday", "birthdate"}
    | {"dob", "surname", "lastname", "firstname", "fullname", "address", "ip", "password", "secret", "pin"}
)
_TOGETHER = frozenset(
    {("card", "number"), ("account", "number"), ("passport", "number"), ("national", "id"), ("tax", "id")}
    | {(whose, "name") for whose in ("first", "last", "full", "customer", "user", "holder", "cardholder", "payer")}
)


def check(case: Case) -> Iterator[Diagnostic]:
    """Read the placeholders' names."""
    for found in placeholders(case):
        if _personal(found):
            yield case.finding(
                f"the key holds {{{found.name}}}, and keys stand in logs and traces on both sides",
                *found.path,
                hint="name the key after an identifier, as {customer_id}; personal data belongs in the body",
            )


def _personal(found: Placeholder) -> bool:
    if any(pair in _TOGETHER for pair in zip(found.words, found.words[1:], strict=False)):
        return True
    return not found.identifier and bool(_PERSONAL & set(found.words))
