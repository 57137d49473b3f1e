"""Statements of a store: the record of a key, its claim, and the jobs, from facts through the store's templates."""
