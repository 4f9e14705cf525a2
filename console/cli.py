"""The `jeval` command. Imports happen inside the commands, so that `--help` answers at once."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer

from console.cli_common import Json, Option, Threshold, guarded, options_of, print_json, safe, thresholds_of
from console.cli_compare import compare
from console.cli_data import data
from console.cli_fields import (
    Conversation,
    ConversationFile,
    Criteria,
    CriteriaFile,
    Expected,
    ExpectedFile,
    Input,
    InputFile,
    Judge,
    Output,
    OutputFile,
    fields,
)
from console.cli_pair import reconcile, sensitivity
from console.cli_run import run
from console.cli_runs import runs
from console.cli_weights import weights

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
    ctx: typer.Context,
    evaluators: Evaluators,
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    input: Input = None,
    input_file: InputFile = None,
    criteria: Criteria = None,
    criteria_file: CriteriaFile = None,
    conversation: Conversation = None,
    conversation_file: ConversationFile = None,
    option: Option = None,
    threshold: Threshold = None,
    judge: Judge = None,
    as_json: Json = False,
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 when a score fails its threshold.")] = False,
) -> None:
    """Score one output. Exit code 0: scored, 2: nothing could be scored, 3: the input is wrong."""
    from console.services import answer

    def run() -> dict[str, Any]:
        texts = fields(ctx.params)
        thresholds, options = thresholds_of(threshold, evaluators), options_of(option, evaluators)
        return answer(evaluators, texts, thresholds, options, judge=judge)

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
    ctx: typer.Context,
    evaluator: Annotated[str, typer.Argument(help="An evaluator id.", show_default=False)],
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    input: Input = None,
    input_file: InputFile = None,
    criteria: Criteria = None,
    criteria_file: CriteriaFile = None,
    conversation: Conversation = None,
    conversation_file: ConversationFile = None,
    option: Option = None,
    threshold: Threshold = None,
    judge: Judge = None,
    as_json: Json = False,
) -> None:
    """Print the frames that lead to a score, as text or (--json) as a trace."""
    from jeval_core import explain as trace_of
    from jeval_core.service import check_keys

    def run() -> Any:
        texts = fields(ctx.params)
        thresholds, options = thresholds_of(threshold, [evaluator]), options_of(option, [evaluator])
        check_keys([evaluator], thresholds, "thresholds")
        check_keys([evaluator], options, "options")
        limit, chosen = thresholds.get(evaluator), options.get(evaluator)
        return trace_of(evaluator, **texts, threshold=limit, options=chosen, judge=judge)

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
    verdict = "" if result["passed"] is None else " pass" if result["passed"] else " fail"
    print(safe(f"{result['evaluator']}: {result['label'] or result['status']}{verdict}. {result['reason']}"))
    for warning in result["warnings"]:
        print(safe(f"  warning: {warning['message']}"))
    print(safe(f"  {result['signature']}"))
    if result.get("judge"):
        print(safe(f"  {_judged(result)}"))


def _judged(result: dict[str, Any]) -> str:
    """Who answered, with which weights, at what cost."""
    from console.names import answered_words

    who, parts = result["judge"], []
    if result["probabilities"]:
        parts += ["weights " + " ".join(f"{p:.2f}" for p in result["probabilities"])]
        parts += [f"confidence {result['confidence']:.2f}"]
    if who["cached"]:
        parts.append("from the cache")
    elif who["input_tokens"]:
        cost = "" if who["usd"] is None else f", ${who['usd']:.6f}"
        took = "" if who["latency"] is None else f", {who['latency']:.2f} s"
        parts.append(f"{who['input_tokens']:,} tokens{cost}{took}")
    words = answered_words(who["kind"])
    by = f"answered by {who['model']}" if who["kind"] else f"no answer by {who['model']}"
    return by + (f" ({words})" if words else "") + "".join(f"; {part}" for part in parts)


app.command()(run)
app.command()(runs)
app.command()(compare)
app.command()(data)
app.command()(reconcile)
app.command()(sensitivity)
app.command()(weights)


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
