"""Sandbox: the contract acted out on a server for integrators, with faults on request and a clock to move."""
