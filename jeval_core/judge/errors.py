"""What can go wrong with a judge, as a branch of the error tree.

::

    JevalError
    └── JudgeError              code, status of the answer, seconds that the host asked to wait
        ├── BadSetting          a judge is chosen or set up wrongly
        ├── Unauthorised        401: the key is missing or wrong
        ├── Forbidden           403
        ├── NotFound            404, 501: no such route, model or function
        ├── TooLarge            413
        ├── RefusedQuestion     422, with its detail
        ├── BadRequest          every other 4xx
        ├── Retryable
        │   ├── RateLimited     429
        │   ├── Overloaded      529
        │   ├── ServerFault     every other 5xx
        │   ├── TimedOut        408, or no answer in time
        │   └── ConnectionLost  no connection, or it broke
        ├── MalformedAnswer     not the JSON that was agreed on
        ├── NoDistribution      a level without its probabilities
        ├── BadDistribution     wrong length, a negative, or a sum that is not 1
        ├── NoLevel             the model did not answer with a level
        ├── NoLogprobs          the host gave no token probabilities
        ├── NotRecorded         a recording holds no answer to this question
        ├── BadRecording        a recording cannot be read
        ├── OverBudget          asking would spend more than was allowed
        └── Cancelled           the run was cancelled before this was asked

No message holds a key or a text under evaluation.
"""

from __future__ import annotations

from typing import Any

from jeval_core.errors import JevalError


class JudgeError(JevalError):
    """A judge gave no answer that can be used. `status`: of HTTP; `retry_after`: seconds, as the host asked.

    `attempts`: how often the request was sent.
    """

    code = "judge_error"
    retryable = False
    hopeless = False
    """Whether the same would happen to every other request: nothing is asked again before something is changed."""

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, field=field, hint=hint)
        self.status = status
        self.retry_after = retry_after
        self.attempts = 0


class BadSetting(JudgeError):
    """A judge is chosen or set up wrongly."""

    code = "bad_judge_setting"
    hopeless = True


class Unauthorised(JudgeError):
    """The key is missing or wrong."""

    code = "unauthorised"
    hopeless = True


class Forbidden(JudgeError):
    """The key may not do this, or the host does not take this content."""

    code = "forbidden"
    hopeless = True


class NotFound(JudgeError):
    """The host has no such route or model."""

    code = "not_found"
    hopeless = True


class TooLarge(JudgeError):
    """The request is too large for the host."""

    code = "too_large"


class RefusedQuestion(JudgeError):
    """The host, or the backend itself, does not take this question."""

    code = "refused_question"


class BadRequest(JudgeError):
    """The host refused the request for another reason."""

    code = "bad_request"


class Retryable(JudgeError):
    """It may work when asked again."""

    code = "retryable"
    retryable = True


class RateLimited(Retryable):
    """Too many requests."""

    code = "rate_limited"


class Overloaded(Retryable):
    """The host has too much to do."""

    code = "overloaded"


class ServerFault(Retryable):
    """The host failed."""

    code = "server_error"


class TimedOut(Retryable):
    """No answer came in time."""

    code = "timed_out"


class ConnectionLost(Retryable):
    """There was no connection, or it broke before the answer was whole."""

    code = "connection_lost"


class MalformedAnswer(JudgeError):
    """The answer is not what was agreed on."""

    code = "malformed_answer"


class NoDistribution(JudgeError):
    """The answer names a level and has no probabilities."""

    code = "no_distribution"


class BadDistribution(JudgeError):
    """The probabilities are not a distribution over the options."""

    code = "bad_distribution"


class NoLevel(JudgeError):
    """Too little of the model's probability lies on the options: `mass` of 1."""

    code = "no_level"

    def __init__(self, mass: float, **about: Any) -> None:
        super().__init__(f"The model did not answer with a level (mass {mass:.2f}).", **about)
        self.mass = mass


class NoLogprobs(JudgeError):
    """The host gave no token probabilities."""

    code = "no_logprobs"


class NotRecorded(JudgeError):
    """The recording holds no answer to this question."""

    code = "not_recorded"


class BadRecording(JudgeError):
    """The recording cannot be read."""

    code = "bad_recording"
    hopeless = True


class OverBudget(JudgeError):
    """Asking would spend more than was allowed."""

    code = "over_budget"


class Cancelled(JudgeError):
    """The run was cancelled before this was answered."""

    code = "cancelled"
