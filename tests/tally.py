# SPDX-License-Identifier: MIT
"""Counts what a suite has checked, and shows what did not hold."""


class Tally:
    """What has passed and failed so far."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, good, text=""):
        """One check: when it does not hold, its name and the text are printed."""
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAIL {name}\n{text}")

    def close(self):
        """Print the closing line; return the exit status."""
        print(f"{self.passed} passed, {self.failed} failed, 0 skipped")
        return self.failed > 0
