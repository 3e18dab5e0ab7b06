"""A project and the check of its indexes as records."""

from __future__ import annotations

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.search.arrange import NearFilter
from explorer.export.records.record import as_object
from explorer.project import Index, KeptLines, LineSet, Project, Query, SavedQuery
from explorer.project.checking import check_indexes
from explorer.project.records import check_records, project_record, set_record
from explorer.project.tables import place_of


def test_a_project(small, tmp_path):
    places = [place_of(line) for line in small.concordance("cat").lines(0, 3)]
    kept = KeptLines().with_mark(places).with_note(places[:1], "first").without(places[2:])
    query = Query("cat", filters=(FieldFilter("year", ">=", "1990"), NearFilter("dog", (), 3, False)), node=None)
    cats = LineSet("cats", "1", query, "pets", "", kept)
    project = Project((Index("1", "Small", ("gone",)),), (SavedQuery("1", query, "why"),), (cats,), notes="Read.")
    found = as_object(project_record(project))
    assert (found["notes"], found["version"], found["read_only"]) == ("Read.", None, False)
    # What a project does not know is null, and not -1 or "".
    assert [found["indexes"][0][name] for name in ("fingerprint", "token_count", "document_count")] == [None] * 3
    field, near = found["queries"][0]["query"]["filters"]
    assert (field["field"], field["operator"], field["value"], field["near"]) == ("year", ">=", "1990", None)
    assert (near["field"], near["near"], near["distance"], near["wanted"]) == (None, "dog", 3, False)
    assert found["sets"] == [as_object(set_record(cats))]
    counts = [found["sets"][0][f"{what}_count"] for what in ("line", "marked", "noted", "deleted")]
    assert counts == [len(kept.listed), len(kept.marked), len(kept.noted), len(kept.deleted)] and counts[3] == 1
    (check,) = check_records(check_indexes(project))
    assert (check.id, check.state, check.cause) == ("1", "missing", None)
