"""Requests of the HTTP API, checked field by field; anything unknown is refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr

Text = StrictStr
JudgeName = Literal["heuristic", "recorded:example", "systemone", "chat"]
"""Judges that a request may choose; a file of the server's is none of them."""
References = Annotated[list[Text], Field(min_length=1)]


class Turn(BaseModel):
    """One turn of a conversation."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["system", "user", "assistant", "tool"]
    content: Text


Conversation = list[Turn] | Text
"""Turns, or text with a line for each (`user: …`)."""


class EvaluateRequest(BaseModel):
    """`evaluators` takes ids and suites (`suite:promptfoo`); `expected` is one reference or several."""

    model_config = ConfigDict(extra="forbid")
    evaluators: Annotated[list[StrictStr], Field(min_length=1, max_length=50)]
    output: Text
    expected: Text | References | None = None
    input: Text | None = None
    criteria: Text | None = None
    conversation: Conversation | None = None
    thresholds: dict[str, Annotated[float, Field(strict=True, allow_inf_nan=False)]] = {}
    options: dict[str, dict[str, StrictBool | StrictStr]] = {}
    judge: JudgeName | None = None
    explain: StrictBool = False

    def fields(self) -> dict[str, Any]:
        """The texts under evaluation that were given."""
        return _texts(self)


class ExplainRequest(BaseModel):
    """One evaluator, its frames."""

    model_config = ConfigDict(extra="forbid")
    evaluator: StrictStr
    output: Text
    expected: Text | References | None = None
    input: Text | None = None
    criteria: Text | None = None
    conversation: Conversation | None = None
    threshold: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None = None
    options: dict[str, StrictBool | StrictStr] = {}
    judge: JudgeName | None = None

    def fields(self) -> dict[str, Any]:
        """The texts under evaluation that were given."""
        return _texts(self)


def _texts(request: BaseModel) -> dict[str, Any]:
    return request.model_dump(include={"output", "expected", "input", "criteria", "conversation"}, exclude_none=True)
