"""Tokens of a query and of a line, as the terms that a cut looks for."""

from __future__ import annotations

from collections.abc import Container

from memeval.embedding.tokens import locate_tokens, tokenise

__all__ = ["TokenTerms", "locate_tokens", "tokenise"]


class TokenTerms:
    """A query's terms are its distinct tokens; a line holds those that are among its own tokens."""

    def of_query(self, query: str) -> tuple[str, ...]:
        """The distinct tokens of a query, in order."""
        return tuple(dict.fromkeys(tokenise(query)))

    def of_line(self, line: str) -> Container[str]:
        """The tokens of a line."""
        return frozenset(tokenise(line))

    def locate_first(self, line: str, terms: Container[str]) -> tuple[int, int]:
        """(start, end) of the first token that is one of the terms; (0, 0) when there is none."""
        return next(((start, end) for token, start, end in locate_tokens(line) if token in terms), (0, 0))
