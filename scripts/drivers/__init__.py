"""Load and chaos drivers: each module but the shared ones is one driver, started by `scripts/drive NAME`."""
