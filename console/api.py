"""The HTTP API. Endpoints are plain functions: a long text must not hold up the page."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from console.api_models import EvaluateRequest, ExplainRequest
from console.envelope import SafeJSON, error_response
from console.services import answer
from jeval_core import JevalError, __version__, explain, get_evaluator, list_evaluators
from jeval_core.registry import SUITES

api = FastAPI(
    title="jeval",
    version=__version__,
    docs_url=None,
    redoc_url=None,
    openapi_url="/openapi.json",
    default_response_class=SafeJSON,
)

_ERRORS: dict[int | str, dict[str, Any]] = {
    code: {"description": what, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    for code, what in (
        (400, "Not JSON"),
        (401, "No or wrong token"),
        (403, "Foreign host or origin"),
        (413, "Body too large"),
        (422, "A field is wrong or missing"),
    )
}


@api.post("/v1/evaluate", summary="Score one output", responses=_ERRORS)
def post_evaluate(request: EvaluateRequest) -> Response:
    """Scores by every evaluator asked for, in order."""
    return SafeJSON(
        answer(
            request.evaluators,
            request.fields(),
            request.thresholds,
            request.options,
            judge=request.judge,
            frames=request.explain,
        )
    )


@api.post("/v1/explain", summary="Score one output, with frames", responses=_ERRORS)
def post_explain(request: ExplainRequest) -> Response:
    """The trace of one evaluator: result, scene, frames."""
    trace = explain(
        request.evaluator,
        **request.fields(),
        threshold=request.threshold,
        options=request.options,
        judge=request.judge,
    )
    return SafeJSON(trace.to_dict())


@api.get("/v1/evaluators", summary="The catalogue", responses=_ERRORS)
def get_evaluators(suite: str = "everything") -> Response:
    """Every evaluator of a suite, with fields, options and texts."""
    return SafeJSON(
        {"evaluators": [card.to_dict() for card in list_evaluators(suite)], "suites": [*SUITES], "version": __version__}
    )


@api.get("/v1/evaluators/{id}", summary="One evaluator", responses=_ERRORS)
def get_one(id: str) -> Response:
    """One entry of the catalogue."""
    return SafeJSON(get_evaluator(id).card.to_dict())


@api.get("/health", summary="Is the server up")
def health() -> Response:
    """Answers without touching anything."""
    return SafeJSON({"status": "ok", "version": __version__})


@api.exception_handler(JevalError)
def _jeval_error(request: Request, error: JevalError) -> Response:
    status = 404 if request.method == "GET" and request.url.path.startswith("/api/v1/evaluators/") else 422
    return error_response(status, error.code, error.message, error.field, error.hint)


@api.exception_handler(RequestValidationError)
def _invalid(request: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    if "json" not in request.headers.get("content-type", ""):
        hint = "Send the header `content-type: application/json`."
        return error_response(415, "not_json", "The body must be declared as JSON.", "content-type", hint)
    if first["type"] == "json_invalid":
        return error_response(
            400,
            "bad_json",
            "The body is not valid JSON.",
            "body",
            "Send a JSON object with content-type application/json.",
        )
    return error_response(422, *_said(first))


def _said(error: dict[str, Any]) -> tuple[str, str, str, str]:
    """Code, message, field and hint for pydantic's first complaint, without the value."""
    place = [
        str(part) for part in error["loc"][1:] if str(part) not in ("str", "constrained-str") and "[" not in str(part)
    ]
    known = {*EvaluateRequest.model_fields, *ExplainRequest.model_fields, "role", "content"}
    unknown = error["type"] == "extra_forbidden"
    field = ".".join(part for part in place if part in known or part.isdigit()) or "body"
    if unknown:
        return (
            "unknown_field",
            "The request has a field that is not known here.",
            field,
            "Fields: " + ", ".join(EvaluateRequest.model_fields) + ".",
        )
    if error["type"] == "missing":
        return (
            "missing_field",
            f"`{field}` is missing.",
            field,
            "Blank is not missing: an empty text is scored or skipped, an absent one is an error.",
        )
    return (
        "bad_input",
        f"`{field}` has the wrong type or range: {error['msg'][:1].lower()}{error['msg'][1:]}.",
        field,
        "The types stand in /api/openapi.json.",
    )


@api.exception_handler(HTTPException)
def _http_error(request: Request, error: HTTPException) -> Response:
    known = {
        400: ("bad_json", "The body could not be read as JSON."),
        404: ("not_found", "There is nothing at this address."),
        405: ("method_not_allowed", "This address does not take that method."),
    }
    code, message = known.get(error.status_code, ("error", "The request was refused."))
    response = error_response(error.status_code, code, message, None, "The addresses stand in /api/openapi.json.")
    response.headers.update(error.headers or {})
    return response


@api.exception_handler(Exception)
def _crashed(request: Request, error: Exception) -> Response:
    return error_response(
        500,
        "internal",
        "Something went wrong here; the request was not at fault.",
        None,
        "The server's log names the place.",
    )
