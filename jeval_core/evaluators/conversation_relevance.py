"""Conversation relevance: does the latest reply belong where it stands."""

from __future__ import annotations

from jeval_core.card import JUDGED, Card, Texts
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.judge.questions import score_question
from jeval_core.registry import evaluator

QUESTION = score_question(
    "The output is the next reply in the conversation. How well does it fit there? It should take up what the last "
    "turn asks or says, and agree with what was said and settled before. Whether it is true is not the question.",
    (
        "It ignores the last turn, or contradicts what was settled.",
        "It touches the subject but not what the last turn asks.",
        "It takes up a part of the last turn, or forgets something that was said before.",
        "It takes up the last turn; a small thing is beside the point.",
        "It takes up all of the last turn and fits everything before it.",
    ),
)

TEXTS = Texts(
    what=(
        "A judge rates on five levels how well the output fits as the next reply in a conversation: to the last turn, "
        "and to everything before it. The score is the mean level."
    ),
    use=(
        "Chat assistants, where an answer can be fine on its own and wrong in its place.",
        "Finding replies that forget what the user said three turns ago.",
    ),
    avoid=("Single questions: closed_qa or g_eval need no conversation.", "Truth: a fitting reply may be false."),
    watch=(
        "The conversation ends with the turn before the output; the output is not part of it.",
        "Very long conversations cost more, and a judge has a limit. It is said when one is too long.",
    ),
    questions=(
        (
            "How is a conversation written?",
            (
                "As chat APIs do: a list of objects with role and content. On the page and in files a line such as "
                "“user: …” for each turn is taken too."
            ),
        ),
    ),
    example={
        "conversation": (
            "user: I am allergic to nuts. What can I bake for Sunday?\n"
            "assistant: A lemon cake works without nuts. Shall I give you a recipe?\n"
            "user: Yes please, for eight people."
        ),
        "output": "For eight: 250 g flour, 200 g sugar, 4 eggs, 2 lemons, and 100 g ground almonds for moisture.",
    },
    example_says="1.3 / 4, fail, in the illustrative answer: it answers, and forgets the allergy.",
    shape=(
        "score 0–1 (expected level ÷ 4), label “x.x / 4”, confidence, a probability for each level, passed at 0.75 of "
        "the scale; evidence: p0 to p4, expected_level, sd."
    ),
)


@evaluator
class ConversationRelevance(Levels):
    """A reply in its place, five levels."""

    question = QUESTION
    card = Card(
        id="conversation_relevance",
        name="Conversation relevance",
        kind="judge",
        line="Does the reply fit the last turn and all that was said before?",
        threshold=0.75,
        passes="level 3 of 4",
        texts=TEXTS,
        required=("output", "conversation"),
        aggregates=JUDGED,
        related=("g_eval", "closed_qa"),
    )
