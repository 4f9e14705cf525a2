"""Judges: something that answers a question about a state with a distribution, not with a text.

::

    judge = make(choose("chat"))                    # jeval_core.judge.settings; nothing is sent yet
    answers = ask_one(judge, state, {"q": score_question("How good is it?", levels)})
    answers["q"].probabilities                      # jeval_core.judge.answers
    ask_all(judge, requests, sink)                  # jeval_core.judge.asking: many, with progress, budget and cancel
"""
