"""Texts that talk to their judge."""

from __future__ import annotations

import regex

_JUDGE = r"(?:judge|grader|evaluator|rater|reviewer|examiner|assessor|scorer|language model|llm|ai)\b"
_PATTERNS = (
    r"\b(?:ignore|disregard|forget|override|skip)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|foregoing|other|all|any|your|the)\b[^.\n]{0,30}\b(?:instruction|prompt|criteria|criterion|rule|rubric|guideline|direction)s?\b",
    rf"\b(?:note|message|instructions?|attention|hint|memo|reminder)\b\s*+(?:(?:to|for)\b\s*+)?+(?::\s*+)?+(?:(?:the|any|all|my|every)\b\s*+)?+{_JUDGE}",
    rf"\b(?:dear|hello|hi|attention|hey),?\s++(?:\w+\s++)?{_JUDGE}",
    rf"\b(?:as|you are|you're|act as|pretend to be)\s+(?:now\s+)?(?:a|an|the|my)\s+(?:\w+\s+){{0,2}}{_JUDGE}[^.\n]{{0,60}}\b(?:must|should|give|assign|award|rate|score|grade|answer|choose|select|return)\b",
    r"\b(?:give|assign|award|grant|rate|score|grade|mark)\b[^.\n]{0,40}\b(?:this|my|the|it|me)\b[^.\n]{0,40}\b(?:highest|maximum|max|top|full|perfect|best possible|5/5|10/10|100%|five out of five|ten out of ten)\b",
    r"\b(?:answer|respond|reply|output|return|choose|select)\b\s+(?:only\s+)?(?:with\s+)?(?:the\s+)?(?:digit|number|level|score|letter|option)\s+[\"'“]?[0-9A-J]\b",
    r"<\|?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|?>|\[/?INST\]|<</?SYS>>",
    r"(?:忽略|无视|不要理会)[^。\n]{0,12}(?:指令|指示|要求|标准|规则|提示)|(?:给|打|评)[^。\n]{0,10}(?:满分|最高分)",
)
_ANY = regex.compile("|".join(f"(?:{p})" for p in _PATTERNS), flags=regex.IGNORECASE)


def addresses_judge(text: str) -> str | None:
    """The words with which a text talks to whoever judges it, at most 80 characters; None when it does not.

    A list of common phrasings in English and Chinese: it misses others, and a text about judging may be caught.
    """
    found = _ANY.search(text)
    if found is None:
        return None
    words = " ".join(found.group().split())
    return words if len(words) <= 80 else words[:79] + "…"
