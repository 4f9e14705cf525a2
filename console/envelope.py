"""The one shape in which the API says no, and JSON that is safe for every text."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response


class SafeJSON(Response):
    """JSON in ASCII: a lone surrogate in a text survives, NaN is refused."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def error_response(status: int, code: str, message: str, field: str | None = None, hint: str | None = None) -> Response:
    """`{"error": {code, message, field, hint}}`; no part of it repeats a value that was sent."""
    headers = {"www-authenticate": "Bearer"} if status == 401 else None
    return SafeJSON(
        {"error": {"code": code, "message": message, "field": field, "hint": hint}}, status, headers=headers
    )
