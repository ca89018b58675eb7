"""`scripts/drive NAME [options]` starts a driver; `scripts/drive figures` summarises the history of figures.

A driver works against the shop that runs in STACK_DIR (`scripts/stack up`), or starts one of its own. It fails only when
something is wrong, never when something is slow. --record appends its figures to docs/figures (FIGURES_DIR: elsewhere).
"""

import argparse
import asyncio
import importlib
import sys
from pathlib import Path

from drivers.report import History, Report, folder_of
from drivers.shop import Shop
from drivers.stack import Stack

SHARED = {"__init__", "__main__", "client", "report", "stack", "shop", "pictures", "load"}
NAMES = sorted(path.stem.replace("_", "-") for path in Path(__file__).parent.glob("*.py") if path.stem not in SHARED)


def main() -> int:
    name, arguments = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    if name == "figures":
        print("\n".join(History(Path(arguments[0])).lines() if arguments else History().lines()))
        return 0
    if name not in NAMES:
        print(f"{__doc__}\n\nThe drivers: {', '.join(NAMES)}")
        return 2
    module = importlib.import_module(f"drivers.{name.replace('-', '_')}")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog=f"scripts/drive {name}", description=module.__doc__, formatter_class=formatter
    )
    parser.add_argument("--record", action="store_true", help="append the figures to docs/figures")
    module.add_options(parser)
    options = parser.parse_args(arguments)
    report = Report(name, folder_of(options))
    if hasattr(module, "run_alone"):
        module.run_alone(report, options)
    else:
        stack = Stack.here(module.STACK, getattr(module, "SETTINGS", {}), getattr(module, "OWN_STACK", False))
        try:
            asyncio.run(module.run(Shop(stack), report, options))
        finally:
            stack.close()
    for text in report.problems:
        print(f"failed: {text}")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
