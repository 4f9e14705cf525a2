"""Problems as they are found: rejected rows are all listed, notices of one kind only up to a limit."""

from __future__ import annotations

from collections import Counter

from jeval_core.data.records import Problem

MOST = 1_000


class Findings:
    """Collects problems; `rejected` holds the lines of the rows that are not to be kept."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.count: Counter[str] = Counter()

    def note(self, line: int, code: str, reason: str) -> None:
        """Something to know about a row that stays."""
        self.count[code] += 1
        if self.count[code] <= MOST:
            self.problems.append(Problem(line, code, reason))

    def reject(self, line: int, code: str, reason: str) -> None:
        """A reason for which a row is left out."""
        self.problems.append(Problem(line, code, reason, rejected=True))

    def all(self) -> list[Problem]:
        """Every problem by line, and how many notices were not listed one by one."""
        more = [
            Problem(0, code, f"{n - MOST:,} more rows like this are not listed one by one.")
            for code, n in self.count.items()
            if n > MOST
        ]
        return sorted([*self.problems, *more], key=lambda p: p.line)
