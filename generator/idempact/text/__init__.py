"""Files as text: spans, findings, located YAML and JSON nodes, splices."""
