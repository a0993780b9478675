#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the page of SIM_REPORT from programs, look at its data, and at what a browser draws from it.

usage: run.py [--simcc PATH] [--keep FOLDER]      FOLDER then holds the pages, and a picture of each
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
BROWSERS = "chromium", "chromium-browser", "google-chrome"

# Put before the page's own script: tells, as JSON in an attribute, what has been drawn and where.
PROBE = """<script>
const errors = [];
addEventListener('error', e => errors.push(e.message));
addEventListener('load', () => setTimeout(() => {
    const all = (q, root = document) => [...root.querySelectorAll(q)], width = innerWidth;
    const outside = e => {
        const box = e.getBoundingClientRect(), svg = e.closest('svg').getBoundingClientRect();
        return box.left < svg.left - 1 || box.right > svg.right + 1 || box.top < svg.top - 1 ||
            box.bottom > svg.bottom + 1;
    };
    const keys = (id, n) => {
        const svg = document.querySelector(id + ' .card > svg');
        for (let i = 0; svg && i < n; i++)
            svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        return document.getElementById('tip').innerText;
    };
    const told = {
        errors, width, wide: document.documentElement.scrollWidth,
        outside: all('#memory .card > svg *, #lanes .card > svg *').filter(outside).map(e => e.outerHTML),
        blocks: all('#memory rect.block').length, ends: all('#memory rect.leak-end').length - (
            all('#memory .legend .leak-end').length),
        lanes: all('#lanes line.lane').length, kernels: all('#lanes rect.kernel.op').length,
        failed: all('#lanes rect.failed').length, arrows: all('#lanes .dep').length,
        findings: all('.finding').map(e => [Number(e.dataset.line), e.previousElementSibling
            && Number(e.previousElementSibling.dataset.line)]),
        bars: all('.bars').map(e => Number(e.closest('.row').dataset.line)),
        text: document.querySelector('main').innerText,
        block: keys('#memory', 1), op: keys('#lanes', 1),
    };
    document.documentElement.setAttribute('data-told', encodeURIComponent(JSON.stringify(told)));
}, 100));
</script>
"""


class Wrong(Exception):
    """What is not as it should be."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def line_of(name, mark):
    lines = (HERE / f"{name}.cu").read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


def make(name, *flags, status=(0,), **environment):
    """Build and run a program in the tests' folder; its page's path, its data, what it printed."""
    program, path = folder / f"{name}{''.join(flags)}", folder / f"{name}{''.join(flags)}.html"
    path.unlink(missing_ok=True)
    subprocess.run([options.simcc, *flags, f"{name}.cu", "-o", program], cwd=HERE, check=True)
    done = subprocess.run([program], cwd=HERE, env={**os.environ, "SIM_REPORT": str(path), **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    expect(done.returncode in status, f"{name}: exit {done.returncode}\n{done.stderr}")
    if not path.exists():
        return path, None, done.stderr
    text = path.read_text()
    expect(not re.search(r"""(src|href)=(?!"data:)|@import|url\(|https?://(?!www\.w3\.org/2000/svg)""",
                         re.sub(r'(?s)<script type="application/json".*?</script>', "", text)),
           "the page asks for something outside of itself")
    found = re.findall(r'(?s)<script type="application/json" id="data">(.*?)</script>', text)
    expect(len(found) == 1, "the page has no data, or more than once")
    return path, json.loads(found[0]), done.stderr


def look(path, size="1280,1600"):
    """What a browser has drawn."""
    probed = path.with_suffix(".probe.html")
    probed.write_text(path.read_text().replace("</head>", PROBE + "</head>", 1))
    common = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
              f"--user-data-dir={folder}/profile", f"--window-size={size}"]
    done = subprocess.run([*common, "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom",
                           f"file://{probed}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120)
    found = re.search(r'data-told="([^"]*)"', done.stdout)
    expect(found, f"the page's script did not come to its end\n{done.stderr[-2000:]}")
    told = json.loads(urllib.parse.unquote(found[1]))
    expect(not told["errors"] and ":CONSOLE" not in done.stderr, f"{told['errors']}\n{done.stderr[-2000:]}")
    expect(told["wide"] <= told["width"], f"it is {told['wide']} wide in a window of {told['width']}")
    expect(not told["outside"], f"outside of their picture: {told['outside'][:3]}")
    if options.keep:
        subprocess.run([*common, f"--screenshot={path.with_suffix('.png')}", f"file://{path}"],
                       stderr=subprocess.DEVNULL, check=True, timeout=120)
    return told


def all_is_drawn(*flags):
    path, data, _ = make("overlap", *flags, status=(0, 1))
    blocks = [b for b in data["blocks"] if b["kind"] != "segment"]
    expect(len(blocks) == data["allocations"] == 13, f"{len(blocks)} blocks")
    expect({b["kind"] for b in data["blocks"]} == {"device", "pinned", "managed", "pool", "segment"}, "kinds")
    expect([b["bytes"] for b in blocks if "died" not in b] == [32000], "the block that is never freed")
    expect((data["launches"], data["copies"], data["fills"], data["frees"]) == (8, 8, 1, 12), "counts")
    expect(data["peak"] == max(level[1] for level in data["levels"]) == 16840216, f"peak {data['peak']}")
    expect([lane["name"] for lane in data["lanes"]] == ["host", "stream 1", "stream 2"], "lanes")
    kernel = next(op for op in data["ops"] if op.get("name") == "add")
    expect(kernel["grid"] == [2048, 1, 1] and kernel["block"] == [256, 1, 1], "grid and block")
    expect(data["sites"][kernel["at"]]["line"] == line_of("overlap", "launch"), "line of the launch")
    for lane in 1, 2:  # a stream does one thing at a time
        ops = sorted((op for op in data["ops"] if op["lane"] == lane), key=lambda op: op["seq"])
        expect(all(a["end"] <= b["start"] for a, b in zip(ops, ops[1:])), f"lane {lane} overlaps itself")
    (lane, for_seq, on, seq), = [d for d in data["deps"] if d[0] != d[2]]
    ends = {(op["lane"], op["seq"]): op for op in data["ops"]}
    expect(ends[on, seq]["end"] <= ends[lane, for_seq]["start"], "a wait ends before what it waits for")
    if not browser:
        return
    told = look(path)
    expect(told["blocks"] == len(data["blocks"]), f"{told['blocks']} blocks drawn")
    expect(told["ends"] == 1, f"{told['ends']} blocks drawn as never freed")
    expect((told["lanes"], told["kernels"], told["arrows"]) == (3, 8, 1), f"lanes, kernels: {told}")
    expect("cudaMallocHost" in told["block"] or "cudaHostAlloc" in told["block"], told["block"])
    expect("cudaStreamSynchronize" in told["op"], told["op"])
    for words in "docs/sim.md", "1 block never freed", "16.1 MiB", "21 of 128 pages", "overlap.cu":
        expect(words in told["text"], f"does not say: {words}")


def a_fast_build_has_a_page():
    all_is_drawn()


def a_checked_build_has_a_page():
    all_is_drawn("--check")


def findings_stand_at_their_lines():
    path, data, _ = make("findings", "--check", status=(1,))
    lines = {mark: line_of("findings", mark) for mark in ("past", "unwritten")}
    expect({f["line"] for f in data["findings"]} == set(lines.values()), f"findings {data['findings']}")
    expect(data["error"] == "cudaErrorIllegalAddress", "the sticky error")
    expect(data["files"][0]["text"] == (HERE / "findings.cu").read_text(), "the source")
    expect({r["line"] for r in data["profile"]} == set(lines.values()), f"profile {data['profile']}")
    if browser:
        told = look(path)
        expect(sorted(told["findings"]) == [[n, n] for n in sorted(lines.values())], f"{told['findings']}")
        expect(set(told["bars"]) == set(lines.values()), f"bars at {told['bars']}")
        expect(told["failed"] == 1 and told["ends"] == 0, "the kernel that failed")
        expect('</script><b>"\\ must stay text' in told["text"], "source text")


def a_narrow_window_holds_all():
    if browser:
        path, _, _ = make("overlap", "--check", status=(0, 1))
        look(path, "500,1200")


def what_is_kept_is_bounded():
    path, data, _ = make("many", status=(0,))
    expect(data["allocations"] == 40002 and data["launches"] == 40000, "counts")
    expect(len(data["blocks"]) <= 1 << 14 and len(data["ops"]) <= 1 << 14, "kept")
    expect(sum("died" not in b for b in data["blocks"]) == 1, "the block that is never freed")
    expect(data["peak"] == max(level[1] for level in data["levels"]) == (64 << 20) + 3000, "peak")
    if browser:
        told = look(path)
        expect("left out" in told["text"], "does not say that blocks are left out")


def a_program_that_dies_has_a_page():
    path, data, _ = make("dies", "--check", status=(-11,))
    expect([f["line"] for f in data["findings"]] == [line_of("dies", "dies")], f"{data['findings']}")
    if browser:
        look(path)


def a_page_that_cannot_be_written_is_told():
    _, _, errors = make("overlap", status=(1,), SIM_REPORT="/nowhere/page.html")
    expect("SIM_REPORT=/nowhere/page.html cannot be written: No such file or directory" in errors, errors)


def a_source_that_is_gone_is_told():
    copy = folder / "gone.cu"
    copy.write_text((HERE / "findings.cu").read_text())
    subprocess.run([options.simcc, "--check", copy, "-o", folder / "gone"], check=True)
    copy.unlink()
    page = folder / "gone.html"
    subprocess.run([folder / "gone"], env={**os.environ, "SIM_REPORT": str(page)}, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120, check=False)
    expect('"missing":"No such file or directory"' in page.read_text(), "does not say why")
    if browser:
        told = look(page)
        expect("could not be read" in told["text"] and len(told["findings"]) == 2, "findings without source")


def a_name_that_is_no_page_is_refused():
    for name in "", "page.txt", ".html":
        _, data, errors = make("overlap", status=(1,), SIM_REPORT=name)
        expect(data is None and f"SIM_REPORT={name} is not understood: give" in errors, errors)


def main():
    tests = [a_fast_build_has_a_page, a_checked_build_has_a_page, findings_stand_at_their_lines,
             a_narrow_window_holds_all, what_is_kept_is_bounded, a_program_that_dies_has_a_page,
             a_page_that_cannot_be_written_is_told, a_source_that_is_gone_is_told,
             a_name_that_is_no_page_is_refused]
    if not os.path.exists(options.simcc):
        print(f"{options.simcc} is not built: run make\n0 passed, 0 failed, {len(tests)} skipped")
        return 0
    failed, skipped = 0, 0
    for test in tests:
        try:
            test()
            print("ok  ", test.__name__, flush=True)
        except (Wrong, subprocess.SubprocessError, OSError, ValueError) as reason:
            failed += 1
            print(f"FAIL {test.__name__}", *str(reason).splitlines(), sep="\n      ", flush=True)
    if not browser:
        skipped = 1
        print("skip what a browser draws: no chromium here; install it: sudo apt-get install -y chromium")
    print(f"{len(tests) - failed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage="run.py [--simcc PATH] [--keep FOLDER]")
    parser.add_argument("--simcc", default=HERE.parents[1] / "build" / "bin" / "simcc", type=os.path.abspath)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        sys.exit(main())
