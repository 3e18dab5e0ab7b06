"""Where in a record the text is: by a path such as `a.b[0][0]`, by known names, or by a known form of records.

There is no further guessing: any other field with text may be the question or the expected answer.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from explorer.i18n import tr, trn

TEXT_NAMES = ("text", "output", "response", "completion", "generation", "prediction", "answer", "content")
PROMPT_NAMES = ("prompt", "question", "input", "instruction", "query")
ANSWERING_ROLES = ("assistant", "model", "bot", "ai", "gpt")
# Not None, which is a value of JSON.
MISSING = object()
_STEPS = re.compile(r"(?:\.|\A)([^.\[\]]+)|\[(-?\d{1,9})\]")
_MOST_SHOWN = 10
# Levels inside a record; deeper texts are found only by a path that is given.
_DEEPEST = 4

Step = str | int


def parse_path(path: str) -> tuple[Step, ...]:
    """Divide a path into its steps.

    path: Names between dots, numbers in brackets. Anything else is a single name.

    Examples
    --------
    >>> parse_path("choices[0].text")
    ('choices', 0, 'text')
    """
    steps: list[Step] = []
    at = 0
    while at < len(path):
        found = _STEPS.match(path, at)
        # Not a path after all: many field names have brackets or dots in odd places.
        if found is None:
            return (path,)
        name, number = found.groups()
        steps.append(name if name is not None else int(number))
        at = found.end()
    return tuple(steps) or (path,)


def look_up(record: dict[str, Any], path: str) -> Any:
    """Find the value of a record at a path.

    path: A path such as `a.b[0]`. A field with exactly this name takes precedence.
    Returns: The value, or `MISSING` if there is none.

    Examples
    --------
    >>> look_up({"choices": [{"text": "yes"}]}, "choices[0].text")
    'yes'
    """
    if path in record:
        return record[path]
    value: Any = record
    for step in parse_path(path):
        value = _step(value, step)
    return value


def _step(value: Any, step: Step) -> Any:
    if isinstance(step, str):
        return value.get(step, MISSING) if isinstance(value, dict) else MISSING
    # Negative numbers count from the end, as in Python.
    fits = isinstance(value, list) and -len(value) <= step < len(value)
    return value[step] if fits else MISSING


def text_at(record: dict[str, Any], path: str) -> str:
    """Find the text at a path of a record.

    Returns: The text, which may be empty.
    Raises `ValueError` if the path has no value, or one that is not a text; the message can follow "line N:".
    """
    text = look_up(record, path)
    if text is MISSING:
        raise ValueError(missing(record, path))
    if not isinstance(text, str):
        raise ValueError(tr('the field "{path}" holds no text', path=path))
    return text


def take_text(record: dict[str, Any], path: str) -> str:
    """Find the text at a path, and remove it from the record, which keeps the rest.

    record: The fields of the record; changed in place.
    Returns: The text, which may be empty.
    Raises `ValueError` as in `text_at`; the record is then unchanged.
    """
    # Before anything is removed: a record without the text stays whole for the message.
    text = text_at(record, path)
    _remove(record, path)
    return text


def _remove(record: dict[str, Any], path: str) -> None:
    if path in record:
        del record[path]
        return
    # `text_at` has found the text, so each step on the way exists.
    *way, last = parse_path(path)
    value: Any = record
    for step in way:
        value = value[step]
    del value[last]


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """Find the name that a user may have meant.

    Returns: The most similar of them in its own spelling; None if none is similar.

    Examples
    --------
    >>> nearest_name("Txet", ["id", "text"])
    'text'
    """
    # Compared without case, but named as the file spells it: the user copies the name.
    by_folded = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[near[0]] if near else None


def missing(record: dict[str, Any], path: str) -> str:
    """Write the message that a field is missing, with the nearest name or the existing fields.

    path: The path that has no value.
    Returns: The message, which can follow "line N:".
    """
    if near := nearest_name(path, map(str, record)):
        return tr('the field "{path}" is missing (did you mean {near}?)', path=path, near=near)
    return tr('the field "{path}" is missing (fields: {fields})', path=path, fields=shown_fields(record))


def shown_fields(record: dict[str, Any]) -> str:
    """The fields of a record, and the paths of texts inside them."""
    names = list(map(str, record))
    # Fields first: a user looks for one of these, and the list is cut.
    names += [path for path in text_paths(record) if path not in record]
    return shown_names(names)


def shown_names(names: Iterable[str], wanted: str = "") -> str:
    """List names for a message: at most ten of them, and how many more there are.

    wanted: The name that is not among them; similar ones come first. "": in their own order.
    Returns: The names between commas; "none" if there are none.

    Examples
    --------
    >>> shown_names(["id", "text"], wanted="txet")
    'text, id'
    >>> shown_names(f"f{number}" for number in range(33))
    'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 23 more'
    """
    known = list(names)
    near = nearest_name(wanted, known) if wanted else None
    # The sort keeps the order of all others.
    listed = sorted(known, key=lambda name: name != near)[:_MOST_SHOWN]
    rest = len(known) - len(listed)
    more = " " + trn("and {n:,} more", "and {n:,} more", rest) if rest else ""
    return (", ".join(listed) + more) or tr("none")


def text_paths(value: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the paths of all texts inside a value, at most four levels deep; of a list, only its first element.

    path: The path of `value` itself; "" for a record.
    """
    if isinstance(value, str) and path:
        yield path
    elif isinstance(value, dict) and depth < _DEEPEST:
        for name, part in value.items():
            yield from text_paths(part, f"{path}.{name}" if path else str(name), depth + 1)
    # The elements of a list are usually alike, so the first one shows what the others have.
    elif isinstance(value, list) and value and depth < _DEEPEST:
        yield from text_paths(value[0], f"{path}[0]", depth + 1)


@dataclass(frozen=True)
class Part:
    """A text in a record.

    prompt: What it answers; "" if that is not known.
    """

    path: str
    text: str
    prompt: str = ""


def lm_eval_parts(record: dict[str, Any]) -> list[Part]:
    """Find the model's responses in a line of lm-evaluation-harness's sample logs; never `target`, the expected answer.

    Returns: Every text in `resps` with its path and the prompt.
    Raises `ValueError` if there are none, as in tasks that only compare probabilities.
    """
    answers = record.get("resps")
    prompt = _lm_eval_prompt(record)
    found = [
        Part(f"resps[{i}][{j}]", text, prompt)
        for i, group in enumerate(answers if isinstance(answers, list) else [])
        for j, text in enumerate(group if isinstance(group, list) else [])
        if isinstance(text, str)
    ]
    if not found:
        raise ValueError(tr('"resps" contains no text of a model (fields: {fields})', fields=shown_fields(record)))
    return found


def _lm_eval_prompt(record: dict[str, Any]) -> str:
    # Newer logs have a dictionary of requests, older ones a list.
    for path in ("arguments.gen_args_0.arg_0", "arguments[0][0]"):
        found = look_up(record, path)
        if isinstance(found, str):
            return found
    return ""


def chat_parts(record: dict[str, Any]) -> list[Part]:
    """Find the model's turns in a record with `messages` (or `conversations`), each with the turns before it.

    Returns: Every turn of a model with its path; its prompt contains the turns since the model's previous one.
    Raises `ValueError` if there are none.
    """
    name = next((name for name in ("messages", "conversations") if isinstance(record.get(name), list)), "")
    if not name:
        raise ValueError(tr('there is no list of "messages" (fields: {fields})', fields=shown_fields(record)))
    found: list[Part] = []
    before: list[str] = []
    for number, turn in enumerate(record[name]):
        role, text, field = _turn(turn)
        if role.lower() in ANSWERING_ROLES and text:
            found.append(Part(f"{name}[{number}].{field}", text, "\n\n".join(before)))
            # Only the turns since the last answer: what came earlier was answered earlier.
            before = []
        elif text:
            before.append(text)
    if not found:
        raise ValueError(tr('no turn in "{name}" has the role assistant', name=name))
    return found


def _turn(turn: Any) -> tuple[str, str, str]:
    """Role, text and the text's field of a turn; "" for missing ones."""
    if not isinstance(turn, dict):
        return "", "", ""
    role_name, field = ("role", "content") if "role" in turn else ("from", "value")
    role, content = turn.get(role_name), turn.get(field)
    # Parts of one turn, among them pictures, which have no text.
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return role if isinstance(role, str) else "", content if isinstance(content, str) else "", field


def looks_like_lm_eval(record: dict[str, Any]) -> bool:
    """Whether a record is one of lm-evaluation-harness's sample logs."""
    # By two fields: "resps" alone may be a field of any other program.
    return isinstance(record.get("resps"), list) and bool({"doc", "doc_id", "arguments", "target"} & record.keys())


def looks_like_chat(record: dict[str, Any]) -> bool:
    """Whether a record holds the turns of a conversation."""
    for name in ("messages", "conversations"):
        turns = record.get(name)
        if isinstance(turns, list) and turns and isinstance(turns[0], dict):
            # The first turn is enough to tell; `chat_parts` reads the others and finds what is wrong with them.
            return bool({"role", "from"} & turns[0].keys())
    return False
