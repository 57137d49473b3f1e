"""Facts: the numbers and tables that follow from a contract, computed here and nowhere else."""

from idempact.facts.derive import Facts, OperationFacts, Profile

__all__ = ["Facts", "OperationFacts", "Profile"]
