"""`scripts/drive NAME [options]` starts a driver; `scripts/drive figures` summarises the history of figures.

A driver works against the shop that runs in STACK_DIR (`scripts/stack up`), or starts one of its own. It fails only when
something is wrong, never when something is slow. --record appends its figures to docs/figures (FIGURES_DIR: elsewhere).
"""

import argparse
import asyncio
import importlib
import signal
import sys

from drivers import nightly, report, stack
from drivers.report import Report, folder_of
from drivers.shop import Shop
from drivers.stack import Stack

DRIVERS = [
    "backup",
    "benchmark",
    "dashboards",
    "disk-full",
    "failover",
    "festival-day",
    "fuzz-api",
    "image",
    "mixed-load",
    "observatory",
    "order-lives",
    "package",
    "paid-orders",
    "partitions",
    "planted-bugs",
    "repeat",
    "replica",
    "reproducible",
    "restore-cluster",
    "restore-point",
    "rolling-upgrade",
    "runbook-standby",
    "runbooks",
    "slow-disk",
    "soak",
]
# Commands that are no drivers, and have scripts of their own.
COMMANDS = {"figures": report.main, "nightly": nightly.main, "stack": stack.main}


def main() -> int:
    name, arguments = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    if name in COMMANDS:
        return COMMANDS[name](arguments)
    if name not in DRIVERS:
        print(f"{__doc__}\nThe drivers: {', '.join(DRIVERS)}")
        return 2
    module = importlib.import_module(f"drivers.{name.replace('-', '_')}")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(f"scripts/drive {name}", description=module.__doc__, formatter_class=formatter)
    parser.add_argument("--record", action="store_true", help="append the figures to docs/figures")
    if hasattr(module, "add_options"):
        module.add_options(parser)
    options = parser.parse_args(arguments)
    result = Report(name, folder_of(options.record))
    if hasattr(module, "run_alone"):
        module.run_alone(result, options)
    else:
        # A shop that is started here is stopped, also when the driver is told to end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        more = module.more_stack(options) if hasattr(module, "more_stack") else []
        shop = Stack.here([*module.STACK, *more], getattr(module, "SETTINGS", {}))
        try:
            asyncio.run(module.run(Shop(shop), result, options))
        finally:
            shop.close()
    for text in result.problems:
        print(f"failed: {text}")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
