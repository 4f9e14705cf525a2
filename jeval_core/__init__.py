"""The scoring core of jeval console: one number, the same by every door, with the frames that lead to it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jeval_core.batch.frame import evaluate_frame
    from jeval_core.card import Card
    from jeval_core.errors import BadInput, BadOption, JevalError, MissingField, UnknownEvaluator, UnknownOption
    from jeval_core.presets import VariantResult
    from jeval_core.registry import get_evaluator, list_evaluators
    from jeval_core.service import Study, evaluate, explain, study, variants, what_if
    from jeval_core.trace import Trace
    from jeval_core.types import Inputs, Result
    from jeval_core.whatif import Edit, WhatIf

__version__ = "0.1.0"

_HOME = {
    "Card": "card",
    "BadInput": "errors",
    "BadOption": "errors",
    "JevalError": "errors",
    "MissingField": "errors",
    "UnknownEvaluator": "errors",
    "UnknownOption": "errors",
    "get_evaluator": "registry",
    "list_evaluators": "registry",
    "Edit": "whatif",
    "Study": "service",
    "study": "service",
    "VariantResult": "presets",
    "WhatIf": "whatif",
    "evaluate": "service",
    "evaluate_frame": "batch.frame",
    "explain": "service",
    "variants": "service",
    "what_if": "service",
    "Trace": "trace",
    "Inputs": "types",
    "Result": "types",
}

__all__ = [
    "BadInput",
    "BadOption",
    "Card",
    "Edit",
    "Inputs",
    "JevalError",
    "MissingField",
    "Result",
    "Study",
    "Trace",
    "UnknownEvaluator",
    "UnknownOption",
    "VariantResult",
    "WhatIf",
    "__version__",
    "evaluate",
    "evaluate_frame",
    "explain",
    "get_evaluator",
    "list_evaluators",
    "study",
    "variants",
    "what_if",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that `jeval --help` starts at once."""
    if name in _HOME:
        return getattr(import_module(f"jeval_core.{_HOME[name]}"), name)
    raise AttributeError(f"module 'jeval_core' has no attribute {name!r}")
