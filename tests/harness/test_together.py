"""Eight processes use one new store at once: nothing is lost, nothing waits in vain."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jeval_core.harness.jobs import Jobs
from jeval_core.harness.store import Store, files
from jeval_core.runs import run_file
from tests.harness.files import everything

ROOT = Path(__file__).parents[2]
PROCESSES = 8
OWN = 3
"""Files of each process; one more is common to all."""
SAVE = """
import json, sys, time
from pathlib import Path
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.runs import run_file

folder, me, *paths = sys.argv[1:]
made = [run_file(path, ["bleu", "gleu"], group_by=["task_type"]) for path in paths]
Path(folder, f"{me}.ready").touch()
while not Path(folder, "go").exists():
    time.sleep(0.001)
store = Store.open()
jobs = Jobs(store)
for path, run in zip(paths, made):
    id = jobs.add(Spec(((path, Path(path).name),), ("bleu",)), submitter=me)
    store.save_run(run, submitter=me)
    jobs.cancel(id)
    assert run.id in [r.id for r in store.runs()] and store.run(run.id).n == len(run.rows)
print(json.dumps([run.id for run in made]))
"""


@pytest.mark.slow
def test_eight_processes_lose_nothing(tmp_path: Path, home: Path) -> None:
    common = everything(tmp_path / "common.jsonl", 500)
    running = []
    for me in range(PROCESSES):
        own = [everything(tmp_path / f"{me}-{i}.jsonl", 40, seed=100 * me + i) for i in range(OWN)]
        command = [sys.executable, "-c", SAVE, tmp_path, str(me), common, *own]
        running.append(subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    while len([*tmp_path.glob("*.ready")]) < PROCESSES and all(p.poll() is None for p in running):
        time.sleep(0.01)
    assert not [*home.iterdir()]
    (tmp_path / "go").touch()
    ended = [(*p.communicate(), p.returncode) for p in running]
    assert [(err, code) for _, err, code in ended] == [("", 0)] * PROCESSES

    ids = [json.loads(out) for out, _, _ in ended]
    shared = {each[0] for each in ids}
    own = {me: set(each[1:]) for me, each in enumerate(ids)}
    assert len(shared) == 1 and len(set.union(*own.values())) == PROCESSES * OWN
    store = Store.open()
    listed = {r.id: r for r in store.runs()}
    assert set(listed) == set.union(shared, *own.values())
    assert all(listed[id].submitter == str(me) for me, mine in own.items() for id in mine)
    assert len([*(home / files.FOLDER).iterdir()]) == 2 * len(listed)
    for me in range(PROCESSES):
        for at, id in enumerate(ids[me]):
            path = common if at == 0 else tmp_path / f"{me}-{at - 1}.jsonl"
            wanted = run_file(path, ["bleu", "gleu"], group_by=["task_type"])
            assert (
                wanted.id == id
                and store.run(id).scored("gleu").score.tobytes() == wanted.scored["gleu"].score.tobytes()
            )
    jobs = Jobs(store).recent(1_000)
    assert [j.state for j in jobs] == ["cancelled"] * (PROCESSES * (OWN + 1))
