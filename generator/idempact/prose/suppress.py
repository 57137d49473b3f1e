"""Allowances of prose, read as :mod:`idempact.text.allowances` reads those of any file."""

from idempact.text.allowances import Allowances, Blocks, Suppression, read, yaml_comments

__all__ = ["Allowances", "Blocks", "Suppression", "read", "yaml_comments"]
