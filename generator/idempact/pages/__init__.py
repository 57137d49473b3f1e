"""Pages: facts into Markdown, one template a page, found by scanning."""
