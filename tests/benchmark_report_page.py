"""How long a page of 2,000 needs and 10 variants takes to be written and to open. Run it by hand; nothing asserts it.

    python -m tests.benchmark_report_page

It needs playwright and a Chromium, named by CHROMIUM where it is not /usr/bin/chromium. docs/performance.md has what
it said.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from memeval.report.page import write_page
from tests.report.chromium import find_chromium, open_browser
from tests.report.conftest import invent_suite, make_evaluation

NEEDS, WORDINGS, REPEATS = 2_000, 3, 5
VARIANTS = tuple(f"variant-{number}" for number in range(1, 11))


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Write the page, open it, and say how large it is and how long each step took."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("no Chromium here; name one in CHROMIUM")
    evaluation = make_evaluation(invent_suite("invented", VARIANTS, needs=NEEDS, wordings=WORDINGS))
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        path = write_page(evaluation, Path(folder))[0]
        say(f"written in {time.process_time() - start:.1f} s of one processor, {path.stat().st_size / 2**20:.1f} MiB")
        with open_browser(chromium) as browser:
            seconds, filtering = [], []
            for _ in range(REPEATS):
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                start = time.perf_counter()
                page.goto(path.as_uri())
                page.wait_for_selector("#needs-table tbody tr")
                seconds.append(time.perf_counter() - start)
                filtering.append(
                    page.evaluate(
                        "() => { const start = performance.now();"
                        " document.querySelector('#needs-table button[data-sort=\"text\"]').click();"
                        " return performance.now() - start; }"
                    )
                )
                page.close()
    say(f"open until the table of needs stands: median {median(seconds):.2f} s, most {max(seconds):.2f} s")
    say(f"sorted by a column: median {median(filtering):.0f} ms")


if __name__ == "__main__":
    main()
