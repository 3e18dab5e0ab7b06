"""The query language: a phrase, or phrases joined by AND, OR and NOT.

A text without one of these words in capitals, standing alone, is a phrase as it is: code with quotes and
parentheses needs no care. Otherwise

    query   = all {OR all}
    all     = one {AND one}
    one     = NOT one | "(" query ")" | quoted | bare words

so AND binds tighter than OR. In quotes a backslash keeps the next quote or backslash. What comes out is a
conjunction of clauses, each a disjunction of phrases, and phrases that must not occur near. Where AND and OR are mixed
without parentheses, the query is also given back with them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from explorer.errors import QueryError
from explorer.i18n import mark

# (a AND b) OR (c AND d) is four clauses, and each further OR doubles them.
_MOST_CLAUSES = 64
# Each level takes seven calls, and Python allows a thousand.
_MOST_DEPTH = 100
# The order decides: a phrase in quotes before a single quote, which never ends, and both before words.
_TOKEN = re.compile(
    r'\s+|(?P<quoted>"(?:\\.|[^"\\])*")|(?P<open>\()|(?P<close>\))|(?P<quote>")|(?P<word>[^\s()"]+)', re.S
)
# What is between slashes that begin and end a word.
_EXPRESSION = r"(?<![^\s()])/(?:\\.|[^/\\\n])+/(?![^\s()])"
_TOKEN_OR_EXPRESSION = re.compile(rf"(?P<expression>{_EXPRESSION})|{_TOKEN.pattern}", re.S)
_SLASH = re.compile(r"\\.|/", re.S)
_OPERATORS = ("AND", "OR", "NOT")


class Expression(str):
    """A phrase that is a regular expression."""

    def __eq__(self, other: object) -> bool:
        # "a.c" and /a.c/ are two phrases, although both are the same characters.
        return isinstance(other, Expression) and str.__eq__(self, other)

    def __hash__(self) -> int:
        return hash((Expression, str(self)))


class QuerySyntaxError(QueryError):
    """A query that cannot be read.

    Parameters
    ----------
    sentence
        What is wrong, as for `CorpusError`.
    start
        The first character that is to blame, from 0.
    end
        One past the last.
    reason
        As for `CorpusError`.
    option
        As for `CorpusError`.
    fields
        As for `CorpusError`.
    """

    def __init__(
        self, sentence: str, start: int, end: int, *, reason: str = "", option: str = "", **fields: object
    ) -> None:
        super().__init__(sentence, reason=reason, option=option, **fields)
        self.start, self.end = start, end


@dataclass(frozen=True)
class ParsedQuery:
    """Clauses that must all occur near each other, each in one of its phrases; and what must not.

    A plain query is one clause of one phrase.

    Attributes
    ----------
    clauses
        The phrases of each clause.
    excluded
        The phrases that must not occur nearby.
    echo
        The query with all its parentheses, if it mixes AND and OR without some of them; in quotes, if its own quotes
        or parentheses are text; otherwise "".
    """

    clauses: tuple[tuple[str, ...], ...]
    excluded: tuple[str, ...] = ()
    # How a query was written makes no difference to what it is.
    echo: str = field(default="", compare=False)

    @property
    def plain(self) -> bool:
        """Whether this is a single phrase, whose occurrences are one range of ranks."""
        return len(self.clauses) == 1 and len(self.clauses[0]) == 1 and not self.excluded

    def __str__(self) -> str:
        """The query written so that it is read as this again."""
        phrase = self.clauses[0][0]
        # Quotes are needed only where the phrase by itself would be read as something else.
        if self.plain and phrase.strip() and not _is_structured(phrase):
            return phrase
        parts = [" OR ".join(map(quoted, clause)) for clause in self.clauses]
        if len(parts) + len(self.excluded) > 1:
            parts = [f"({part})" if len(clause) > 1 else part for part, clause in zip(parts, self.clauses, strict=True)]
        return " AND ".join([*parts, *(f"NOT {quoted(phrase)}" for phrase in self.excluded)])


def quoted(phrase: str) -> str:
    """Write a phrase as the query language does.

    Returns: The phrase in quotes, or an expression between slashes.

    Examples
    --------
    >>> quoted("the cat")
    '"the cat"'
    """
    if isinstance(phrase, Expression):
        return "/" + _SLASH.sub(lambda found: found[0] if len(found[0]) > 1 else "\\/", phrase) + "/"
    return '"' + phrase.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class _Node:
    """phrase: `text`; and, or, not: `parts`. grouped: in parentheses."""

    kind: str
    text: str = ""
    parts: tuple[_Node, ...] = ()
    start: int = 0
    end: int = 0
    grouped: bool = False

    @property
    def is_mixed(self) -> bool:
        """Whether AND and OR are mixed without parentheses, here or in a part."""
        bare = self.kind == "or" and any(part.kind == "and" and not part.grouped for part in self.parts)
        return bare or any(part.is_mixed for part in self.parts)

    def written(self) -> str:
        """The node with quotes, and parentheses around each AND and OR within another."""
        if self.kind == "phrase":
            return quoted(self.text)
        inner = [f"({part.written()})" if part.kind in ("and", "or") else part.written() for part in self.parts]
        return f"NOT {inner[0]}" if self.kind == "not" else f" {self.kind.upper()} ".join(inner)


def _is_structured(text: str, match: str = "tokens") -> bool:
    """Whether a text is more than one phrase as it is. A regular expression in quotes is one as it is."""
    stripped = text.strip()
    if match != "tokens":
        # Operators inside of expressions and quotes are not operators.
        text = re.sub(_EXPRESSION, "//", text)
    if match != "regex" and stripped.startswith('"') and (stripped == '"' or _only_quote(stripped)):
        return True
    outside = re.sub(r'"(?:\\.|[^"\\])*"', '""', text, flags=re.S)
    return re.search(r'(?:^|[\s()"])(?:AND|OR|NOT)(?:$|[\s()"])', outside) is not None


def _looks_structured(text: str) -> bool:
    """Whether a text has quotes, parentheses around it or an unpaired one: it may have been meant as a query."""
    stripped, depth = text.strip(), 0
    for char in stripped:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return True
    return bool(depth) or '"' in stripped or stripped.startswith("(")


def _only_quote(text: str) -> bool:
    """Whether a text is one quoted phrase, or a quote that never ends."""
    match = re.match(r'"(?:\\.|[^"\\])*"', text, re.S)
    return match is None or match.end() == len(text)


def parse(text: str, match: str = "tokens") -> ParsedQuery:
    """Read a query.

    match: How phrases are matched. Beside operators, /…/ is a regular expression, except for "tokens"; for "regex" so
        is everything that is not in quotes.
    Returns: The clauses of an AND, each an OR of phrases, and the phrases that must not occur.
    Raises `QuerySyntaxError` if it cannot be read; it has the place.

    Examples
    --------
    >>> parse('"cat" AND (mat OR rug) AND NOT dog').clauses
    (('cat',), ('mat', 'rug'))
    >>> parse('"cat" AND NOT dog').excluded
    ('dog',)
    """
    if not _is_structured(text, match):
        found = one_phrase(text, match)
        return replace(found, echo=quoted(text)) if match != "regex" and _looks_structured(text) else found
    node = _Reader(text, match).read()
    return replace(_to_clauses(node, text), echo=node.written() if node.is_mixed else "")


def one_phrase(text: str, match: str = "tokens") -> ParsedQuery:
    """Take a whole text as one phrase, whatever it contains.

    match: How it is matched; with "regex" it is an expression.

    Examples
    --------
    >>> one_phrase("this AND that").clauses
    (('this AND that',),)
    """
    if not text.strip():
        raise QueryError(mark("The query is empty."), reason="empty-query")
    return ParsedQuery(((Expression(text) if match == "regex" else text,),))


class _Reader:
    def __init__(self, text: str, match: str) -> None:
        self._text = text
        # One method per rule of the grammar, each of which leaves `_at` at the first token that it did not take.
        self._tokens = list(_tokens(text, match))
        self._at = 0
        self._depth = 0

    def read(self) -> _Node:
        node = self._any()
        if (token := self._peek()) is not None:
            self._unexpected(token)
        return node

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, kind: str) -> _Token | None:
        token = self._peek()
        if token is None or token.kind != kind:
            return None
        self._at += 1
        return token

    def _unexpected(self, token: _Token) -> None:
        if token.kind == "close":
            raise QuerySyntaxError(
                mark("This parenthesis was never opened."), token.start, token.end, reason="parenthesis-not-opened"
            )
        if token.kind == "NOT":
            raise QuerySyntaxError(
                mark("NOT needs AND before it."),
                token.start,
                token.end,
                reason="not-without-and",
            )
        raise QuerySyntaxError(
            mark("AND or OR is missing before this."), token.start, token.end, reason="operator-missing"
        )

    def _chain(self, kind: str, operator: str) -> _Node:
        # OR joins ANDs, AND joins single operands: this is what makes AND bind tighter.
        inner = self._all if operator == "OR" else self._one
        parts = [inner()]
        while self._take(operator) is not None:
            parts.append(inner())
        return parts[0] if len(parts) == 1 else _Node(kind, "", tuple(parts), parts[0].start, parts[-1].end)

    def _any(self) -> _Node:
        return self._chain("or", "OR")

    def _all(self) -> _Node:
        return self._chain("and", "AND")

    def _one(self) -> _Node:
        self._depth += 1
        token = self._peek()
        if self._depth > _MOST_DEPTH and token is not None:
            raise QuerySyntaxError(
                mark("The query is nested too deeply."), token.start, token.end, reason="nested-too-deeply"
            )
        try:
            return self._operand()
        finally:
            self._depth -= 1

    def _operand(self) -> _Node:
        if (token := self._take("NOT")) is not None:
            part = self._one()
            return _Node("not", "", (part,), token.start, part.end)
        if (token := self._take("open")) is not None:
            return self._group(token)
        if (token := self._take("phrase")) is not None:
            return _Node("phrase", token.text, (), token.start, token.end)
        return self._missing()

    def _group(self, opened: _Token) -> _Node:
        if (token := self._peek()) is not None and token.kind == "close":
            raise QuerySyntaxError(
                mark("There is nothing in these parentheses."), opened.start, token.end, reason="empty-parentheses"
            )
        node = self._any()
        if (closed := self._take("close")) is None:
            raise QuerySyntaxError(
                mark("This parenthesis is never closed."), opened.start, opened.end, reason="parenthesis-not-closed"
            )
        # The parentheses are kept as a mark, since only AND and OR without them are echoed.
        return replace(node, start=opened.start, end=closed.end, grouped=True)

    def _missing(self) -> _Node:
        token = self._peek()
        before = self._tokens[self._at - 1] if self._at else None
        if token is not None and token.kind in ("AND", "OR") and before is None:
            raise QuerySyntaxError(
                mark("There is nothing before {operator}."),
                token.start,
                token.end,
                reason="nothing-before",
                operator=token.kind,
            )
        if before is not None and before.kind in _OPERATORS:
            raise QuerySyntaxError(
                mark("There is nothing after {operator}."),
                before.start,
                before.end,
                reason="nothing-after",
                operator=before.kind,
            )
        # At the end of the query there is no token to blame, only the place after its last character.
        place = token or _Token("", "", len(self._text), len(self._text))
        raise QuerySyntaxError(
            mark("A word or a phrase is missing here."), place.start, place.end, reason="phrase-missing"
        )


def _tokens(text: str, match: str) -> Iterator[_Token]:
    """Operators, parentheses and phrases; words beside each other are one phrase."""
    words: list[tuple[int, int]] = []
    for found in (_TOKEN if match == "tokens" else _TOKEN_OR_EXPRESSION).finditer(text):
        kind, start, end = found.lastgroup, found.start(), found.end()
        if kind is None:
            continue
        word = found.group()
        if kind == "word" and word not in _OPERATORS:
            # A phrase is what is between its first and last word in the text, spaces included, so it is not joined from
            # words.
            words.append((start, end))
            continue
        if words:
            yield _phrase(text, words, match)
            words = []
        if kind == "quote":
            raise QuerySyntaxError(mark("This quote is never closed."), start, end, reason="quote-not-closed")
        if kind == "quoted":
            inner = re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.S)
            if not inner:
                raise QuerySyntaxError(
                    mark("There is nothing between these quotes."), start, end, reason="empty-quotes"
                )
            yield _Token("phrase", inner, start, end)
        elif kind == "expression":
            yield _Token("phrase", Expression(word[1:-1].replace("\\/", "/")), start, end)
        else:
            yield _Token(word if kind == "word" else kind, word, start, end)
    if words:
        yield _phrase(text, words, match)


def _phrase(text: str, words: list[tuple[int, int]], match: str) -> _Token:
    start, end = words[0][0], words[-1][1]
    phrase = text[start:end]
    return _Token("phrase", Expression(phrase) if match == "regex" else phrase, start, end)


def _to_clauses(node: _Node, text: str) -> ParsedQuery:
    clauses: list[tuple[str, ...]] = []
    excluded: list[str] = []
    for clause in _conjunction(node, False):
        # A repeated phrase or clause changes nothing and is left out.
        wanted = tuple(dict.fromkeys(phrase for phrase, negated in clause if not negated))
        unwanted = tuple(dict.fromkeys(phrase for phrase, negated in clause if negated))
        if wanted and unwanted:
            raise QuerySyntaxError(
                mark("NOT can be used only with AND: an OR with a NOT would match nearly everything."),
                node.start,
                node.end,
                reason="not-beside-or",
            )
        if len(unwanted) > 1:
            raise QuerySyntaxError(
                mark("NOT (… AND …) is not possible."),
                node.start,
                node.end,
                reason="not-of-and",
            )
        excluded += unwanted
        if wanted and wanted not in clauses:
            clauses.append(wanted)
    if not clauses:
        raise QuerySyntaxError(
            mark("A query needs something that must occur, not only NOT."),
            0,
            len(text.rstrip()),
            reason="only-not",
        )
    return ParsedQuery(tuple(clauses), tuple(dict.fromkeys(excluded)))


_Literal = tuple[str, bool]


def _conjunction(node: _Node, negated: bool) -> list[tuple[_Literal, ...]]:
    """The node as a conjunction of disjunctions of (phrase, negated)."""
    if node.kind == "phrase":
        return [((node.text, negated),)]
    if node.kind == "not":
        return _conjunction(node.parts[0], not negated)
    parts = [_conjunction(part, negated) for part in node.parts]
    # De Morgan: under NOT, an OR is a conjunction and an AND is not.
    if (node.kind == "and") != negated:
        return [clause for part in parts for clause in part]
    return _distributed(parts, node)


def _distributed(parts: Sequence[list[tuple[_Literal, ...]]], node: _Node) -> list[tuple[_Literal, ...]]:
    # Multiplied before anything is written out: a short query can have billions of clauses.
    total = 1
    for part in parts:
        total *= len(part)
    if total > _MOST_CLAUSES:
        raise QuerySyntaxError(
            mark("Written out, this OR of ANDs has {total} clauses; at most {most} are possible."),
            node.start,
            node.end,
            reason="too-many-clauses",
            total=total,
            most=_MOST_CLAUSES,
        )
    return [tuple(dict.fromkeys(itertools.chain(*choice))) for choice in itertools.product(*parts)]
