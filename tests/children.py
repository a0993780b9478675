# SPDX-License-Identifier: MIT
"""Run programs with a time limit and leave none behind."""
import os
import signal
import subprocess
import threading
import time


class Children:
    """Each child leads a process group, so that a limit or Ctrl-C ends all that it has started."""

    def __init__(self, **options):
        """The options, such as cwd and env, are for each child's Popen."""
        self.options = options
        self.lock, self.live, self.closed = threading.Lock(), set(), False

    def run(self, command, limit, stderr=subprocess.STDOUT, **options):
        """Exit code (124 past the limit in seconds, negative for a signal), stdout, and stderr if apart."""
        with self.lock:
            if self.closed:
                return 130, "", ""
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                                     text=True, errors="replace", start_new_session=True,
                                     **{**self.options, **options})
            self.live.add(child)
        try:
            output, errors = child.communicate(timeout=limit)
            return child.returncode, output, errors
        except subprocess.TimeoutExpired:
            self.end([child])
            output, errors = child.communicate()
            return 124, output + f"\nstopped after {limit} s\n", errors
        except KeyboardInterrupt:
            self.end([child])
            raise
        finally:
            self.live.discard(child)

    def end(self, children):
        for number in signal.SIGTERM, signal.SIGKILL:  # TERM first: make then removes half-made files
            for child in children:
                try:
                    os.killpg(child.pid, number)
                except ProcessLookupError:
                    pass
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline and any(child.poll() is None for child in children):
                time.sleep(0.02)

    def close(self):
        """Start nothing more and end what runs."""
        with self.lock:
            self.closed = True
        self.end(list(self.live))
