"""Every state of the Explore view, without a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import console
from console import state
from console.examples import PAIRS, examples
from jeval_core import explain, get_evaluator, list_evaluators

APP = Path(console.__file__).with_name("app.py")
IDS = [card.id for card in list_evaluators() if card.kind == "code"]
JUDGES = [card.id for card in list_evaluators() if card.kind == "judge"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path))


def open_app(**params: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=30)
    for name, value in params.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def parameter(app: AppTest, name: str) -> str:
    """One query parameter; AppTest gives lists of one or plain text."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def submit(app: AppTest) -> AppTest:
    """Press Score."""
    next(b for b in app.button if "Score" in b.label).click()
    return checked(app.run())


def component(app: AppTest, name: str) -> dict | None:
    """What a component was sent."""
    for element in app.get("bidi_component"):
        proto = element.proto
        if proto.component_name.endswith(name):
            return json.loads(proto.json or proto.mixed.json)
    return None


@pytest.mark.parametrize("id", [*IDS, *JUDGES])
def test_landing_shows_the_example_scored(id: str) -> None:
    app = open_app(evaluator=id)
    example = next(iter(examples(id).values()))
    trace = explain(id, **example.fields.given(get_evaluator(id).card), judge="recorded:example")
    assert component(app, "jeval_stage")["trace"] == json.loads(json.dumps(trace.to_dict()))
    assert component(app, "jeval_reading")["gauge"]["label"] == trace.gauge.label
    assert app.title[0].value == trace.evaluator["name"]


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("id", IDS)
def test_every_example_with_every_evaluator(id: str, name: str) -> None:
    example = PAIRS[name].fields
    app = open_app(evaluator=id, output=example.output, expected=[*example.expected])
    trace = explain(id, output=example.output, expected=example.expected)
    assert component(app, "jeval_stage")["trace"]["result"] == json.loads(json.dumps(trace.result.to_dict()))


def test_not_scored() -> None:
    app = open_app(output="a", expected="")
    assert component(app, "jeval_stage") is None
    app.button(key="fill").click()
    assert component(checked(app.run()), "jeval_reading")["gauge"]["label"] == "0.61"


def test_form_and_address() -> None:
    app = open_app()
    app.text_area(key=state.OUTPUT).set_value("x y z")
    app.text_area(key=state.expected_key(0)).set_value("x y q")
    submit(app)
    assert (parameter(app, "output"), parameter(app, "expected")) == ("x y z", "x y q")
    assert component(app, "jeval_stage")["trace"]["scene"]["rows"][0]["text"] == "x y z"


def test_a_late_message_with_an_older_address_brings_nothing_back() -> None:
    app = open_app()
    app.text_area(key=state.OUTPUT).set_value("x y z")
    submit(app)
    app.query_params.clear()  # what the browser sends before it knows the new address
    app.text_area(key=state.expected_key(0)).set_value("x y q")
    submit(app)
    assert (parameter(app, "output"), parameter(app, "expected")) == ("x y z", "x y q")
    assert component(app, "jeval_stage")["trace"]["scene"]["rows"][0]["text"] == "x y z"


def test_long_texts_are_saved_behind_an_id() -> None:
    long = "word " * 1000
    app = open_app()
    app.text_area(key=state.OUTPUT).set_value(long)
    submit(app)
    id = parameter(app, "text")
    assert "output" not in app.query_params
    again = open_app(text=id)
    assert again.text_area(key=state.OUTPUT).value == long


BAD = [
    {"evaluator": "nope"}, {"evaluator": "bleu", "options": '{"tokens": "x"}'}, {"options": "{"}, {"options": "[]"}, {"options": "5"}, {"options": '{"tokens": ["13a"]}'},
    {"threshold": "high"}, {"threshold": "7"}, {"threshold": "nan"}, {"text": "0" * 24}, {"text": "../../etc/passwd"}, {"frame": "99"}, {"frame": "-1"}, {"frame": "²"}, {"order": "x"}, {"view": "x"},
]  # fmt: skip


@pytest.mark.parametrize("params", BAD, ids=str)
def test_bad_addresses_show_the_page_and_say_so(params: dict[str, str]) -> None:
    app = open_app(**params)
    assert component(app, "jeval_stage") is not None
    assert bool(app.warning) == (not {"frame", "order", "view"} & set(params))


def test_options_and_threshold_in_the_address() -> None:
    app = open_app(options='{"variant":"promptfoo"}', threshold="0.2")
    result = component(app, "jeval_stage")["trace"]["result"]
    assert (round(result["score"], 6), result["threshold"], result["passed"]) == (0.37685, 0.2, True)


HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> ![a](http://x.example/y.png) $x$ :red[x] =cmd()"


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("variant", ["jeval", "promptfoo"])
def test_markup_is_never_markup(id: str, variant: str) -> None:
    options = {} if id == "rouge_l" else {"variant": variant}
    app = open_app(evaluator=id, output=HOSTILE, expected=HOSTILE + " more", options=json.dumps(options))
    assert component(app, "jeval_stage")["trace"]["result"]["status"] == "scored"
    for kind in ("markdown", "html", "caption", "title", "warning", "error", "table"):
        for element in app.get(kind):
            assert "onerror" not in str(element.proto) and "x.example" not in str(element.proto), kind
    for chart in app.get("plotly_chart"):
        assert "<script" not in chart.proto.spec and "<img" not in chart.proto.spec
