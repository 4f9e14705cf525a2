"""The `jeval` command. Imports happen inside the commands, so that `--help` answers at once."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli_common import Json, Option, Threshold, guarded, options_of, print_json, safe, thresholds_of
from console.cli_data import data
from console.cli_run import run
from console.cli_runs import runs

# A wrong call is a wrong input; 2 says that nothing could be scored. Typer may bring a click of its own.
next(c for c in typer.BadParameter.__mro__ if c.__name__ == "UsageError").exit_code = 3  # type: ignore[attr-defined]
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Score LLM outputs and see how the scores arise.",
)

Evaluators = Annotated[
    list[str], typer.Argument(help="Evaluator ids or suites, such as `bleu` or `suite:promptfoo`.", show_default=False)
]
Output = Annotated[str | None, typer.Option(help="The text to score.", show_default=False)]
OutputFile = Annotated[
    Path | None, typer.Option(help="Read the output from a file; `-` is standard input.", show_default=False)
]
Expected = Annotated[
    list[str] | None, typer.Option(help="A reference text; give it again for several.", show_default=False)
]
ExpectedFile = Annotated[
    list[Path] | None, typer.Option(help="Read a reference from a file; may be given again.", show_default=False)
]


@app.command()
def console(
    host: Annotated[
        str, typer.Option(help="Address to listen on. Off loopback the API needs JEVAL_API_TOKEN.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8501,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Open the console in the browser, page and API in one process."""
    from console.launch import launch

    guarded(lambda: launch(host, port, browser=browser))


@app.command()
def evaluators(
    suite: Annotated[str, typer.Option(help="promptfoo, harness or everything.")] = "everything",
    as_json: Json = False,
) -> None:
    """List the evaluators with their options."""
    from console.tables import catalogue_text
    from jeval_core import list_evaluators

    cards = guarded(lambda: list_evaluators(suite))
    if as_json:
        print_json({"evaluators": [card.to_dict() for card in cards]})
    else:
        print(safe(catalogue_text(cards)))


@app.command()
def evaluate(
    evaluators: Evaluators,
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    option: Option = None,
    threshold: Threshold = None,
    as_json: Json = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 when a score fails its threshold.")] = False,
) -> None:
    """Score one output. Exit code 0: scored, 2: nothing could be scored, 3: the input is wrong."""
    from console.services import answer

    def run() -> dict[str, Any]:
        fields = _fields(output, output_file, expected, expected_file)
        return answer(evaluators, fields, thresholds_of(threshold, evaluators), options_of(option, evaluators))

    response = guarded(run)
    if as_json:
        print_json(response)
    else:
        for result in response["results"]:
            _print_result(result)
    scored = [r for r in response["results"] if r["status"] == "scored"]
    if not scored:
        raise typer.Exit(2)
    if check and not all(r["passed"] for r in scored):
        raise typer.Exit(1)


@app.command()
def explain(
    evaluator: Annotated[str, typer.Argument(help="An evaluator id.", show_default=False)],
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    option: Option = None,
    threshold: Threshold = None,
    as_json: Json = False,
) -> None:
    """Print the frames that lead to a score, as text or (--json) as a trace."""
    from jeval_core import explain as trace_of
    from jeval_core.service import check_keys

    def run() -> Any:
        fields = _fields(output, output_file, expected, expected_file)
        thresholds, options = thresholds_of(threshold, [evaluator]), options_of(option, [evaluator])
        check_keys([evaluator], thresholds, "thresholds")
        check_keys([evaluator], options, "options")
        return trace_of(evaluator, **fields, threshold=thresholds.get(evaluator), options=options.get(evaluator))

    trace = guarded(run)
    if as_json:
        print_json(trace.to_dict())
    else:
        _print_frames(trace)
    if trace.result.status != "scored":
        raise typer.Exit(2)


def _print_frames(trace: Any) -> None:
    main = [f for f in trace.frames if not f.extra]
    for i, frame in enumerate(trace.frames):
        place = "extra" if frame.extra else f"{i + 1} of {len(main)}"
        print(safe(f"[{place}] {frame.describe()}\n"))
    _print_result(trace.result.to_dict())


def _print_result(result: dict[str, Any]) -> None:
    verdict = "–" if result["passed"] is None else "pass" if result["passed"] else "fail"
    print(safe(f"{result['evaluator']}: {result['label'] or result['status']} {verdict}. {result['reason']}"))
    for warning in result["warnings"]:
        print(safe(f"  warning: {warning['message']}"))
    print(safe(f"  {result['signature']}"))


def _fields(
    output: str | None, output_file: Path | None, expected: list[str] | None, expected_file: list[Path] | None
) -> dict[str, Any]:
    from jeval_core import BadInput, MissingField

    if output is not None and output_file is not None:
        raise BadInput("--output and --output-file exclude each other.", field="output")
    if output is None and output_file is None:
        raise MissingField("There is no output to score.", field="output", hint="Give --output or --output-file.")
    if [str(p) for p in (output_file, *(expected_file or []))].count("-") > 1:
        raise BadInput("Standard input can be read only once.", field="file", hint="Give one of the texts as a file.")
    references = [*(expected or []), *(_read(path) for path in expected_file or [])]
    fields: dict[str, Any] = {"output": output if output_file is None else _read(output_file)}
    if references:
        fields["expected"] = references[0] if len(references) == 1 else references
    return fields


def _read(path: Path) -> str:
    from jeval_core import BadInput

    try:
        if str(path) == "-" and sys.stdin is None:
            raise BadInput("Standard input is closed.", field="file")
        return (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}.", field="file") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path} is not UTF-8: byte {error.start} cannot be read.", field="file", hint="Save it as UTF-8."
        ) from None


app.command()(run)
app.command()(runs)
app.command()(data)


def main() -> None:
    """Entry point of the `jeval` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows another
    try:
        app()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:  # a closed or full standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0 if isinstance(error, BrokenPipeError) else 3)


if __name__ == "__main__":
    main()
