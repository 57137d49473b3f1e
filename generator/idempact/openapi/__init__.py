"""OpenAPI: what the contract puts into an existing file by splicing text, and how that is taken out again."""
