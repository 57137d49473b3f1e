"""The manual: Idempact's own documentation, from the model, the rules, the vendors' contracts and the packages."""
