"""Programmes that were solved before: an edit asks many of them again, and the same question has the same answer.

A question is known by all that stands in it, number by number, so nothing has to be told what an edit changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import blake2b
from threading import Lock
from typing import Any, TypeVar

import numpy as np

MOST = 500
"""Answers that are kept, the latest used ones: a plan asks about twenty questions, and squads are small."""

Answer = TypeVar("Answer")


@dataclass(slots=True, eq=False)
class SolvedBefore:
    """Answers by question; two who ask the same at once both solve it."""

    _answers: OrderedDict[bytes, Any] = field(default_factory=OrderedDict, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def of(self, question: bytes, solve: Callable[[], Answer]) -> Answer:
        """Return the answer of a question, solved unless it is known; an error is not remembered."""
        with self._lock:
            if question in self._answers:
                self._answers.move_to_end(question)
                return self._answers[question]  # type: ignore[no-any-return]
        answer = solve()
        with self._lock:
            self._answers[question] = answer
            while len(self._answers) > MOST:
                self._answers.popitem(last=False)
        return answer


def question_of(*parts: object) -> bytes:
    """Return what a question is known by: numbers, texts, arrays, and tuples and dataclasses of them."""
    digest = blake2b(digest_size=16)

    def read(part: object) -> None:
        match part:
            case np.ndarray():
                digest.update(f"{part.dtype.str}{part.shape}".encode())
                digest.update(part.tobytes())
            case tuple():
                digest.update(f"({len(part)}".encode())
                for one in part:
                    read(one)
            case _ if is_dataclass(part):
                for one in fields(part):
                    read(getattr(part, one.name))
            case _:
                digest.update(f"{part!r};".encode())

    read(parts)
    return digest.digest()
