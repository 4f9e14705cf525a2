"""The stored runs as a table, and what can be done with those that are picked."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from console import stored
from console.components import ui
from console.names import name_of
from jeval_core.data.errors import JevalError
from jeval_core.evaluators.judged import judge_in
from jeval_core.harness.archive import export_run, import_run
from jeval_core.harness.store.records import StoredRun
from jeval_core.home import home
from jeval_core.signature import NAME, parse

ROUND = "runs.round"
"""Session key: counts imports and deletions, so that the table and the uploader start anew."""
NOTE = "runs.note"
"""Session key: what was just done, said once."""


def draw(runs: Sequence[StoredRun]) -> None:
    """Table and actions."""
    if note := st.session_state.pop(NOTE, None):
        st.caption(ui.literal(note))
    st.session_state.setdefault(ROUND, 0)
    event = st.dataframe(
        _frame(runs),
        hide_index=True,
        row_height=34,
        height=34 * (min(len(runs), 12) + 1) + 3,
        key=f"runs-{runs[0].id}-{len(runs)}-{st.session_state[ROUND]}",
        on_select="rerun",
        selection_mode="multi-row",
        alt="Stored runs",
        column_config={
            "Rows": st.column_config.NumberColumn(format="localized", width=76),
            "Version": st.column_config.TextColumn(width=84, help="The start of the hash of the cases."),
            "Run": st.column_config.TextColumn(width=84),
            "Judge": st.column_config.TextColumn(width=130),
            "Signatures": st.column_config.TextColumn(width=88, help="Runs with the same one were scored alike."),
            "Made (UTC)": st.column_config.TextColumn(width=128),
        },
    )
    picked = [runs[i] for i in event.selection.rows if i < len(runs)]
    _actions(picked)
    if len(picked) == 1:
        _details(picked[0])


def _frame(runs: Sequence[StoredRun]) -> pd.DataFrame:
    systems = stored.store().all_systems()
    frame = pd.DataFrame(
        {
            "Made (UTC)": [r.created[:16].replace("T", " ") for r in runs],
            "Data set": [r.name for r in runs],
            "Version": [r.dataset[:8] for r in runs],
            "Model version": [r.model_version or _systems(systems.get(r.id, {})) for r in runs],
            "Rows": [r.rows for r in runs],
            "Scored by": [_suite(r) for r in runs],
            "Judge": [", ".join(sorted({j for s in r.signatures.values() if (j := judge_in(s))})) for r in runs],
            "Signatures": [_short(r) for r in runs],
            "Submitter": [r.submitter or "" for r in runs],
            "Run": [r.id[:8] for r in runs],
        }
    )
    return frame if frame["Judge"].any() else frame.drop(columns="Judge")


def _short(run: StoredRun) -> str:
    """The start of a hash over all signatures: runs with the same one were scored alike."""
    return hashlib.sha256("\n".join(sorted(run.signatures.values())).encode()).hexdigest()[:6]


def _suite(run: StoredRun) -> str:
    """Suites as they were asked for; evaluators by name, with the variant where it is not the usual one."""
    suites = [name.removeprefix("suite:") for name in run.asked if name.startswith("suite:")]
    alone = [id for id in run.evaluators if not suites or id in run.asked]
    return ", ".join([*(f"suite {name}" for name in suites), *(_named(id, run.signatures.get(id, "")) for id in alone)])


def _named(id: str, signature: str) -> str:
    parts = parse(signature) if signature else {}
    variant = "sacrebleu" if NAME not in parts and parts else parts.get("v", "jeval")
    return name_of(id) + (f" ({variant})" if variant not in ("jeval", "") else "")


def _systems(names: Mapping[str, str]) -> str:
    return f"{len(names)} systems" if len(names) > 1 else ""


def _actions(picked: Sequence[StoredRun]) -> None:
    one = picked[0] if len(picked) == 1 else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        # links: switching pages would leave this page's address with the other's parameters
        if one:
            st.link_button("Open", f"./datasets?{urlencode({'run': one.id})}")
            _export(one)
        if len(picked) > 1:
            oldest, *others = sorted(picked, key=lambda run: (run.created, run.id))
            address = urlencode({"a": oldest.id, "b": [run.id for run in others[:6]]}, doseq=True)
            st.link_button(f"**Compare {min(len(picked), 7)} runs**", f"./compare?{address}")
        if picked:
            if st.button("Delete", icon=":material/delete:", key="delete", type="tertiary"):
                _ask(tuple(run.id for run in picked), tuple(f"{run.name}, run {run.id[:8]}" for run in picked))
        else:
            st.caption("Pick one run to open, export or delete it, two or more to compare them.")
        st.space("stretch")
        import_one()


def _export(run: StoredRun) -> None:
    menu = st.popover("Export", icon=":material/download:", key="export-run", on_change="rerun")
    if not menu.open:
        return
    with menu:
        try:
            whole = _archive(str(home()), run.id)
        except JevalError as error:
            ui.failed(error)
            return
        st.download_button(
            f"The whole run ({len(whole) / 1e6:.1f} MB)", whole, f"run-{run.id[:8]}.zip",
            "application/zip", on_click="ignore", key="export-zip",
        )  # fmt: skip
        st.caption("Texts, scores and settings. Import it on another console.")


@st.cache_resource(max_entries=2, show_spinner="Making the file")
def _archive(folder: str, run: str) -> bytes:
    stream = io.BytesIO()
    export_run(stored.store(), run, stream)
    return stream.getvalue()


def import_one() -> None:
    with st.popover("Import a run", icon=":material/upload:", key="import-run"):
        given = st.file_uploader("A run that was exported", ["zip"], key=f"given-{st.session_state[ROUND]}")
    if given is None:
        return
    try:
        id, new = import_run(stored.store(), given)
    except (JevalError, OSError) as error:
        ui.failed(error)
        return
    what = "is imported." if new else "was here already; nothing was changed."
    st.session_state[NOTE] = f"Run {id[:8]} {what}"
    st.session_state[ROUND] += 1
    st.rerun()


@st.dialog("Delete for good?", width="small")
def _ask(ids: tuple[str, ...], names: tuple[str, ...]) -> None:
    for name in names[:8]:
        st.text(name)
    if len(names) > 8:
        st.caption(f"and {len(names) - 8} more")
    st.caption("Texts and scores of these runs leave this server. Links to them stop working. This cannot be undone.")
    with st.container(horizontal=True, gap="small"):
        if st.button(f"**Delete {ui.count(len(ids), 'run')}**", key="delete-yes"):
            _delete(ids)
            st.rerun()
        if st.button("Keep", key="delete-no"):
            st.rerun()


def _delete(ids: Sequence[str]) -> None:
    gone = 0
    try:
        for id in ids:
            stored.store().delete_run(id)
            gone += 1
        st.session_state[NOTE] = f"{ui.count(gone, 'run')} deleted."
    except JevalError as error:
        st.session_state[NOTE] = f"{ui.count(gone, 'run')} deleted. {error}"
    st.session_state[ROUND] += 1


def _details(run: StoredRun) -> None:
    ui.section("How it was scored", "Two runs compare where these are equal.", level=3)
    frame = pd.DataFrame({"Evaluator": [name_of(id) for id in run.signatures], "Signature": [*run.signatures.values()]})
    st.dataframe(
        frame,
        hide_index=True,
        row_height=34,
        column_config={"Signature": st.column_config.TextColumn(width=760)},
        alt="Signatures",
    )
