"""Retry loops: facts through the templates of each language, found by scanning its folders."""
