"""Compiled templates, kept between runs: to compile them is most of a build's work."""

from __future__ import annotations

from pickle import UnpicklingError

from jinja2 import BytecodeCache, FileSystemBytecodeCache
from jinja2.bccache import Bucket

# Counts the environments: what a template is compiled to depends on its text and on the environment's options.
_PATTERN = "idempact-2-%s.cache"


def compiled_templates() -> BytecodeCache | None:
    """A cache in Jinja's folder for this user below the system's temporary one, by the templates' text; none where
    there is no such folder that is safe.
    """
    try:
        return _Kept(pattern=_PATTERN)
    except (RuntimeError, OSError):
        return None


class _Kept(FileSystemBytecodeCache):
    """The cache, which a build can do without: a file that can't be read or written counts as none."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, ValueError, TypeError, UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        try:
            super().dump_bytecode(bucket)
        except OSError:
            return
