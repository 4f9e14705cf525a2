"""The second step: how the file is read, which column is which field, and what to score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pandas as pd
import streamlit as st

from console.components import ui
from console.components.controlled import controlled
from console.components.datasets import draft as drafts
from console.components.datasets import launch, problems
from console.components.datasets.draft import Draft
from console.components.datasets.place import Place
from jeval_core import data
from jeval_core.data.errors import AmbiguousMapping, JevalError

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "shift_jis", "gb18030")
NOT_USED = "not used"
MAIN = ("output", "expected", "input")
SHOWN = 6
CUT = 140


def draw(place: Place) -> None:
    """The whole step."""
    try:
        draft = drafts.of(place)
    except JevalError as error:
        ui.failed(error)
        return
    try:
        table, whole = drafts.table(draft)
    except JevalError as error:
        ui.section(draft.name, "This file cannot be read as it is.")
        ui.failed(error)
        if draft.reading:
            st.button("Read it as found", on_click=_forget, args=(draft.token,))
        return
    _head(draft, table, whole)
    _layout(draft, table)
    st.space("small")
    mapping, question = drafts.mapping(draft, table)
    left, right = st.columns([1, 1.7], gap="large")
    with left:
        _fields(draft, table, mapping, question)
    with right:
        _preview(table, mapping)
        if mapping is not None:
            launch.draw(draft, table, mapping, whole)
    found = [asdict(p) for p in table.problems]
    problems.lines(found, _account(table, whole), key="mapping", unit=table.source.unit)


def _forget(token: str) -> None:
    st.session_state.pop(f"draft-{token}", None)


def _head(draft: Draft, table: data.Table, whole: bool) -> None:
    size = sum(path.stat().st_size for path, _ in draft.files)
    mass = f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"
    several = "" if draft.one else f"{len(draft.files)} files, a system each. The first one is shown. "
    ready = f"{ui.count(len(table), 'row')} {'is' if len(table) == 1 else 'are'} ready"
    rows = ready if whole else f"The first {len(table):,} rows are shown; all will be read"
    ui.section(draft.name, f"{several}{mass}. {rows}.")


def _account(table: data.Table, whole: bool) -> str:
    if not whole:
        return "Seen in the first rows; the run looks at all of them."
    parts = [f"{len(table):,} ready"]
    parts += [f"{table.rejected:,} rejected"] if table.rejected else []
    parts += [f"{table.blank:,} empty"] if table.blank else []
    return f"{ui.count(table.rows_in_file, 'row')} in the file = {' + '.join(parts)}."


def _layout(draft: Draft, table: data.Table) -> None:
    """How the file is read, each part with its other choices."""
    source = table.source
    st.space("xsmall")
    with st.grid(5, min_column_width=150, gap="small"):
        _fact("Format", source.format, "gzip unpacked" if source.compressed else "recognised by content")
        if source.encoding:
            others = [*source.alternatives.get("encoding", ()), *ENCODINGS]
            _choice(draft, "Encoding", "encoding", source.encoding, others)
        if source.delimiter:
            names = DELIMITERS | {source.delimiter: DELIMITERS.get(source.delimiter, source.delimiter)}
            _choice(draft, "Delimiter", "delimiter", source.delimiter, [*names], names)
        if source.header_row is not None and source.delimiter:
            rows = sorted({1, 2, 3, 4, 5, source.header_row})
            _choice(draft, "Header", "header_row", source.header_row, rows, {r: f"line {r}" for r in rows})
        if source.sheet is not None:
            _choice(draft, "Sheet", "sheet", source.sheet, [*source.alternatives.get("sheet", ())])
        _fact("Columns", f"{len(table.names)}", _empty_cells(table))


def _empty_cells(table: data.Table) -> str:
    empty = sum(int((column.to_pandas() == "").sum()) for column in table.columns.columns) if len(table) < 50_000 else 0
    return f"{empty:,} empty cells" if empty else "no empty cell" if len(table) < 50_000 else ""


def _fact(label: str, value: str, note: str) -> None:
    with st.container(border=True, gap=None, height="stretch"):
        st.caption(label)
        st.text(value)
        st.caption(note)


def _choice(
    draft: Draft, label: str, name: str, now: Any, others: list[Any], names: dict[Any, str] | None = None
) -> None:
    with st.container(border=True, gap=None, height="stretch"):
        controlled(
            st.selectbox,
            label,
            list(dict.fromkeys([now, *others])),
            now,
            lambda value: drafts.set_reading(draft.token, name, value),
            key=f"read-{draft.token}-{name}",
            hidden=False,
            format_func=lambda o: (names or {}).get(o, str(o)),
        )
        st.caption("as chosen" if draft.reading.get(name) is not None else "as found")


def _fields(draft: Draft, table: data.Table, mapping: data.ColumnMap | None, question: JevalError | None) -> None:
    ui.section("Mapping", "Found by column name. Change any line.")
    if question is not None:
        _ask(draft, table, question)
    known = mapping or drafts.without(draft, table, question.field if question else None)
    found = known.to_dict() if known else dict(draft.columns)
    references = found.get("expected") or []
    references = [references] if isinstance(references, str) else list(references)
    gold = [(name, column) for name, column in found.items() if name.startswith("gold")]
    tags = [(name, column) for name, column in found.items() if name.startswith("tag.")]
    _field(draft, table, "output", found.get("output"))
    for i, column in enumerate(references or [None]):
        _reference(draft, table, references, i, column)
    if mapping and references:
        _reference(draft, table, references, len(references), None)
    for name in data.FIELDS:
        if name not in ("output", "expected", "gold") and (found.get(name) or name in ("input", "id", "model_version")):
            _field(draft, table, name, found.get(name))
    for name, column in gold:
        _note(name.removeprefix("gold."), "gold, human scores", column)
    for name, column in tags:
        _note(name.removeprefix("tag."), "tag, yes or no", column)
    with st.expander("More fields"):
        for name in data.FIELDS:
            if name not in (*MAIN, "id", "model_version") and not found.get(name) and not (name == "gold" and gold):
                _field(draft, table, name, None)


def _ask(draft: Draft, table: data.Table, question: JevalError) -> None:
    """The one thing that must be said before anything can be scored, answered by one click."""
    candidates = question.candidates if isinstance(question, AmbiguousMapping) else tuple(table.names)
    with st.container(border=True, gap="xsmall"):
        st.text(question.message.replace("`", ""))
        if question.field not in data.FIELDS or not candidates:
            return
        st.caption(f"Which column is the {question.field}?")
        with st.container(horizontal=True, gap="xsmall"):
            for i, name in enumerate(candidates[:12]):
                st.button(
                    ui.literal(name),
                    key=f"ask-{question.field}-{i}",
                    on_click=drafts.set_column,
                    args=(draft.token, question.field, name),
                )


def _line(label: str, note: str) -> Any:
    left, right = st.columns([1, 2.2], vertical_alignment="center", gap="small", wrap=False)
    with left.container(gap=None):
        st.text(label)
        st.caption(note)
    return right


def _note(label: str, note: str, column: str) -> None:
    with _line(label, note):
        st.text(column)


def _field(draft: Draft, table: data.Table, name: str, column: str | None) -> None:
    note = "as chosen" if name in draft.columns else "known name" if column else "not found"
    with _line(name, note):
        _select(draft, table, name, column, lambda c: drafts.set_column(draft.token, name, "" if c is None else c))


def _select(draft: Draft, table: data.Table, name: str, column: str | None, take: Callable[[str | None], None]) -> None:
    controlled(
        st.selectbox,
        name,
        [None, *table.names],
        column if column in table.names else None,
        take,
        key=f"map-{draft.token}-{name}",
        format_func=lambda o: NOT_USED if o is None else o,
        placeholder=NOT_USED,
    )


def _reference(draft: Draft, table: data.Table, references: list[str], i: int, column: str | None) -> None:
    """One of the columns with expected texts; the last line offers another one."""

    def take(chosen: str | None) -> None:
        kept = [*references[:i], *([] if chosen is None else [chosen]), *references[i + 1 :]]
        drafts.set_column(draft.token, "expected", data.listed_columns([*dict.fromkeys(kept)]))

    label = "expected" if i == 0 else f"expected {i + 1}"
    note = (
        ("as chosen" if "expected" in draft.columns else "known name") if column else "optional" if i else "not found"
    )
    with _line(label, note):
        _select(draft, table, label, column, take)


def _preview(table: data.Table, mapping: data.ColumnMap | None) -> None:
    ui.section("First rows, as they will be read", "Text stays text: “007”, “NA” and “null” are not converted.")
    if not len(table):
        st.caption("There is no row to show.")
        return
    uses = {column: field for field, column in mapping.describe()} if mapping else {}
    shown = table.columns.slice(0, SHOWN)
    frame = pd.DataFrame(
        {
            (f"{name} → {uses[name]}" if name in uses and uses[name] != name else name): [
                None if cell is None else cell if len(cell) <= CUT else cell[: CUT - 1] + "…"
                for cell in column.to_pylist()
            ]
            for name, column in zip(shown.column_names, shown.columns, strict=True)
        }
    )
    st.dataframe(frame, hide_index=True, row_height=34, alt=f"The first {len(frame)} rows", key="preview")
