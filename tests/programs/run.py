#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every program here checks itself and must leave the simulated device nothing to report."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.insert(0, str(HERE.parent / "reports"))
import run

sys.exit(run.main(HERE))
