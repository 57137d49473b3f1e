"""Other tools' extensions that `inject --with` writes, too: one module each, found by scanning.

A module has ``operation`` and ``root``, which give the extensions by name; an empty mapping where there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Lookup
from importlib import import_module

from idempact.resources.modules import module_names
from idempact.resources.typed import TYPE_CHECKING, cast
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain

if TYPE_CHECKING:
    # The command line lists the names, whatever is asked for.
    from idempact.facts.derive import Facts, OperationFacts

Members = dict[str, Plain]
# A keyed operation's loops, by its name in the contract: each with its language, its label and its code.
Samples = Lookup[str, tuple[tuple[str, str, str], ...]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a vendor module may look at."""

    facts: Facts
    samples: Samples = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extras:
    """The extensions that were asked for: of the root, and of each operation."""

    root: Members = field(default_factory=dict)
    operation: Callable[[OperationFacts], Members] = field(default=lambda found: {})


def _names() -> tuple[str, ...]:
    return tuple(sorted(name.replace("_", "-") for name in module_names(__path__)))


NAMES = _names()


def vendors(facts: Facts, names: Iterable[str], samples: Samples) -> Extras:
    """The extensions of the vendors *names*, merged. Raises TypeError for a module that isn't whole."""
    asked = Asked(facts, samples)
    modules = [vars(import_module(f"{__name__}.{name.replace('-', '_')}")) for name in names]
    for module in modules:
        if not callable(module.get("operation")) or not callable(module.get("root")):
            raise TypeError(f"the vendor {module.get('__name__')} needs operation() and root()")

    def operation(found: OperationFacts) -> Members:
        made: Members = {}
        for module in modules:
            made |= cast(Members, module["operation"](asked, found))
        return made

    root: Members = {}
    for module in modules:
        root |= cast(Members, module["root"](asked))
    return Extras(root, operation)
