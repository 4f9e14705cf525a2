"""Pictures of every view and state, light and dark, wide and narrow: `make shots` writes them to shots/."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from console.sample_sets import SETS
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.browser import FLAGS, ensure
from tests.compare.made import rows_of, stored
from tests.e2e.serve import serving
from tests.e2e.stage import EVALUATORS

OUT = Path(__file__).parents[1] / "shots"
LONG = quote(" ".join(f"word{i % 90} of a long answer that goes on" for i in range(40)))
DOSE = "output=administer%205mg%20of%20the%20drug&expected=administer%2050mg%20of%20the%20drug"
STATES = {
    **{f"{id}-f{frame + 1}": f"/?evaluator={id}&frame={frame}" for id in EVALUATORS for frame in range(4)},
    "bleu-f5": "/?frame=4", "bleu-f6": "/?frame=5", "bleu-f2-order2": "/?frame=1&order=2",
    "all-frames": "/?view=all", "present": "/?present=1&embed=true&frame=3",
    "references": "/?frame=1&output=The%20cat%20sat%20on%20the%20mat&expected=The%20cat%20is%20on%20the%20mat&expected=There%20was%20a%20cat%20on%20the%20mat",
    "side": "/side-by-side", "side-dose": f"/side-by-side?{DOSE}", "side-empty": "/side-by-side?output=&expected=%20",
    "side-long": f"/side-by-side?output={LONG}&expected={LONG}%20end",
    "warnings": f"/?frame=3&{DOSE}", "not-scored": "/?output=a&expected=%20", "bad-address": "/?evaluator=nope",
    "empty-output": "/?output=&expected=some%20words&frame=3", "long": f"/?frame=1&output={LONG}&expected={LONG}%20end",
    "chinese": f"/?frame=1&output={quote('模型返回校准的概率，不是文本。')}&expected={quote('模型返回校准后的概率，而不是文本。')}",
}  # fmt: skip
MENUS = ("Change evaluator", "Options", "Share")


def datasets() -> dict[str, str]:
    """States of the Datasets page; the runs are made in the home of this process."""
    states = {"datasets-file": "/datasets", "datasets-mapping": "/datasets?set=support"}
    for sample in SETS:
        files = ((str(sample.path), sample.path.name),)
        spec = Spec(files, sample.evaluators, tag_columns=sample.tag_columns, group_by=sample.group_by)
        id = Store.open().save_run(spec.run(), spec)
        states |= {
            f"datasets-{sample.key}": f"/datasets?run={id}",
            f"datasets-{sample.key}-row": f"/datasets?run={id}&row=3",
        }
    return states | {"datasets-no-run": "/datasets?run=0", "datasets-no-rows": f"/datasets?run={id}&show=Not scored"}


def compared() -> dict[str, str]:
    """States of Runs and Compare."""
    folder = Path(tempfile.mkdtemp())
    may, june, judged = (
        stored(folder, name, rows_of(240, share, seed), evaluators, model_version=f"release-{name}")
        for seed, (name, share, evaluators) in enumerate(
            (("may", 0.6, ("bleu", "rouge_l")), ("june", 0.7, ("bleu", "rouge_l")), ("judged", 0.6, ("factuality",)))
        )
    )
    both = f"/compare?a={may.id}&b={june.id}"
    return {
        "runs": "/runs", "compare": both, "compare-choose": "/compare", "compare-pair": f"{both}&pair=3",
        "compare-three": f"{both}&b={june.id[:-1]}x", "compare-group": f"{both}&by=task_type&group=short",
        "compare-refused": f"/compare?a={may.id}&b={judged.id}", "compare-no-run": f"/compare?a={may.id}&b=0",
    }  # fmt: skip


def settle(page: Page) -> None:
    """Wait until the page is drawn."""
    page.wait_for_selector("[aria-roledescription=carousel], h2", timeout=30_000)
    page.wait_for_timeout(1200)


def whole(page: Page, path: Path) -> None:
    """The whole page in one picture."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    width = page.viewport_size["width"] if page.viewport_size else 1440
    page.set_viewport_size({"width": width, "height": min(height + 40, 8000)})
    page.wait_for_timeout(700)
    page.screenshot(path=path)


def take(browser: Browser, url: str, states: dict[str, str], width: int, mode: str) -> None:
    """All states at one width in one mode: the first screen, and the whole page for some."""
    for name, path in states.items():
        page = browser.new_page(viewport={"width": width, "height": 900 if width > 400 else 844}, color_scheme=mode)
        page.goto(url + path)
        settle(page)
        page.screenshot(path=OUT / f"{name}-{mode}-{width}.png")
        if name.endswith("-f1") or name.startswith(("datasets", "compare")) or width < 400 or name == "all-frames":
            whole(page, OUT / f"{name}-{mode}-{width}-whole.png")
        page.close()
    for name in MENUS:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=mode)
        page.goto(url)
        settle(page)
        page.get_by_role("button", name=name).click()
        page.wait_for_timeout(900)
        page.screenshot(path=OUT / f"menu-{name.split()[0].lower()}-{mode}-{width}.png")
        page.close()


def main() -> None:
    """Take them all."""
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["JEVAL_HOME"] = home
        photograph(Path(home), STATES | datasets() | compared())
    print(f"{len(list(OUT.glob('*.png')))} pictures in {OUT.name}/")


def photograph(home: Path, states: dict[str, str]) -> None:
    """All of them in both modes and widths."""
    with serving(home) as url, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=ensure(), args=FLAGS)
        for width in (1440, 390):
            for mode in ("light", "dark"):
                take(browser, url, states, width, mode)
        browser.close()


if __name__ == "__main__":
    main()
