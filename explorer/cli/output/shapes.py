"""The shapes of --json: which record, and which facts about the whole, each command prints.

A command names its shapes beside its rules. `packaging/schemas.py` makes the JSON Schemas in `resources/schemas` of
them, and a test checks both that these are current and that every output follows its schema.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """One shape of --json.

    name: Its name in `schema`: "corpus-explorer/NAME/VERSION".
    record: The class of the records in `results`.
    facts: The class of what describes the whole, whose fields are fields of the object; None for nothing.
    details: A class of fields that a record can have as well; None for none.
    version: The number of the schema. Within one number, fields are only added.
    """

    name: str
    record: type
    facts: type | None = None
    details: type | None = None
    version: int = 1

    @property
    def schema(self) -> str:
        """What `schema` of the object states."""
        return f"corpus-explorer/{self.name}/{self.version}"
