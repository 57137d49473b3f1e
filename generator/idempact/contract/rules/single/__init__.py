"""Rules of single fields, which the reader tells: one module each, with a docstring, ``RULE`` and ``SEVERITY``.

They are apart from the rules between fields, which a check needs to load.
"""
