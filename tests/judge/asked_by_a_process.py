"""A run in a process of its own: `python -m tests.judge.asked_by_a_process URL ROWS CONCURRENCY`; prints its progress."""

from __future__ import annotations

import json
import sys

from jeval_core.judge.asking import Asking, ask_all
from jeval_core.judge.cache import Cache
from jeval_core.judge.client import Client, Limits
from jeval_core.judge.systemone import SystemOne
from tests.judge.test_asking import rows


def main() -> None:
    url, n, concurrency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    judge = SystemOne(Client(url, limits=Limits(concurrency=concurrency)), price=1.0)
    done = ask_all(Asking(judge, cache=Cache(), total=n), rows(n), lambda outcome, progress: None)
    print(json.dumps({"answered": done.answered, "cached": done.cached, "sent": done.sent, "done": done.done}))


if __name__ == "__main__":
    main()
