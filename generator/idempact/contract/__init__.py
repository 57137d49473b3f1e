"""The contract: its model, its units, the reader from located nodes, and the rules between its fields."""
