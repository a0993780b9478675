#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every source keeps to, and that every lab is whole: CONTRIBUTING.md says why."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APART = {".git", ".venv", "build", "__pycache__"}
SOURCE = {".c", ".h", ".cu", ".cuh", ".inc", ".S", ".py", ".sh", ""}


def sources():
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT)
        if path.is_file() and not APART & set(inside.parts) and path.suffix in SOURCE and path.name[0] != ".":
            lines = path.read_bytes().decode(errors="replace").splitlines()
            if path.suffix or lines[:1] and lines[0].startswith("#!"):
                yield inside, lines


def every_source_names_its_licence():
    for path, lines in sources():
        if not any("SPDX-License-Identifier: MIT" in line for line in lines[:2]):
            yield f"{path}: no SPDX line at its head"


def no_source_is_long_or_wide():
    for path, lines in sources():
        if len(lines) > 600:
            yield f"{path}: {len(lines)} lines, at most 600"
        for number, line in enumerate(lines, 1):
            if len(line) > 110:
                yield f"{path}:{number}: {len(line)} columns, at most 110"


def nothing_is_left_undone():
    for path, lines in sources():
        for number, line in enumerate(lines, 1):
            if path.parts[0] in ("common", "solutions") and path.name != "lab.h":
                if re.search(r"\b(TODO|FIXME|XXX|LAB_TODO)\b|^#if 0", line):
                    yield f"{path}:{number}: {line.strip()}"


def every_lab_is_whole():
    for lab in sorted(ROOT.glob("labs/*.cu")):
        text = lab.read_text()
        for part in "Task", "Run", "You will see", "LAB_TODO(":
            if part not in text:
                yield f"{lab.name}: has no {part}"
        if len(re.findall(r"^#include LAB_IMPL$", text, re.M)) != 1:
            yield f"{lab.name}: needs `#include LAB_IMPL` once"
        if not (ROOT / "solutions" / lab.name).exists():
            yield f"{lab.name}: has no solution"
        if not list(ROOT.glob(f"tests/wrong/{lab.stem}-*.cu")):
            yield f"{lab.name}: has no wrong answer in tests/wrong"
    for answer in sorted(ROOT.glob("tests/wrong/*.cu")):
        if not (ROOT / "labs" / (answer.stem.partition("-")[0] + ".cu")).exists():
            yield f"{answer.name}: there is no such lab"
        keys = set(re.findall(r"^// (expect|sim|cuda): ", answer.read_text(), re.M))
        if "expect" not in keys and keys != {"sim", "cuda"}:
            yield f"{answer.name}: has no `// expect: TEXT` line"


def every_task_has_three_hints():
    for lab in sorted(ROOT.glob("labs/*.cu")):
        hints = ROOT / f"docs/hints/{lab.stem}.md"
        if not hints.exists():
            yield f"{lab.name}: has no {hints.relative_to(ROOT)}"
            continue
        head, *parts = re.split(r"^## Task (\d+)$", hints.read_text(), flags=re.M)
        if head.strip() != f"# {lab.stem}":
            yield f"{hints.name}: begins with `# {lab.stem}`, then come the tasks"
        tasks = [str(i + 1) for i in range(len(re.findall(r"^    lab_task\(", lab.read_text(), re.M)))]
        if parts[0::2] != tasks:
            yield f"{hints.name}: its tasks are {parts[0::2]}, the lab's are {tasks}"
        for task, text in zip(parts[0::2], parts[1::2]):
            levels = len(re.split(r"\n\s*\n", text.strip())) if text.strip() else 0
            if levels != 3:
                yield f"{hints.name}: task {task} has {levels} hints (paragraphs), not 3"


def shell_scripts_pass_shellcheck():
    scripts = [ROOT / ".ci/run"] + [ROOT / path for path, lines in sources() if re.match("#!.*sh$", lines[0])]
    done = subprocess.run(["shellcheck", "-S", "warning", *scripts], stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def main():
    counts = [0, 0, 0]
    for rule in (every_source_names_its_licence, no_source_is_long_or_wide, nothing_is_left_undone,
                 every_lab_is_whole, every_task_has_three_hints, shell_scripts_pass_shellcheck):
        if rule is shell_scripts_pass_shellcheck and not shutil.which("shellcheck"):
            counts[2] += 1
            print(f"skip {rule.__name__}: shellcheck is missing")
            continue
        broken = list(rule())
        counts[1 if broken else 0] += 1
        print("FAIL" if broken else "ok  ", rule.__name__)
        print("".join(f"     {line}\n" for line in broken[:20]), end="")
    print("%d passed, %d failed, %d skipped" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
