"""Figures of the agreement of many texts, on the axes of matplotlib."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib", reason="make test-all installs matplotlib")

import matplotlib
from matplotlib import pyplot
from matplotlib.figure import Figure

from explorer import open_index
from explorer.errors import QueryError

pytestmark = pytest.mark.nightly

TEXTS = ["the cat sat on the mat", "a dog saw the cat on the rug", "the dog sat on the mat, and more", "naïve café"]
GROUPS = ["a", "b", "a", "b"]


@pytest.fixture(scope="module")
def small(small_index):
    """The small index, opened once for all tests."""
    return open_index(small_index)


@pytest.fixture
def ax():
    """An axis, as people make one; without a screen."""
    matplotlib.use("agg")
    return Figure().subplots()


def drawn(ax):
    """The points of each line by its label."""
    labels = [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else [""]
    lines = [container.lines[0] for container in ax.containers]
    return {label: list(zip(*line.get_data(), strict=True)) for label, line in zip(labels, lines, strict=True)}


def intervals(ax):
    """The ends of the bars of each line."""
    bars = [container.lines[2][0].get_segments() for container in ax.containers]
    return [[(float(low), float(high)) for (_, low), (_, high) in each] for each in bars]


def test_figures_by_effective_n(small, ax):
    found = small.compare_agreement(TEXTS, GROUPS)
    assert found.plot(ax) is ax
    lines = {
        group: [b for b in found.bins if (b.group, b.series, b.by) == (group, "infgram", "effective_n")]
        for group in "ab"
    }
    assert drawn(ax) == {group: [(b.from_, b.agreement) for b in bins] for group, bins in lines.items()}
    for ends, bins in zip(intervals(ax), lines.values(), strict=True):
        assert ends == [pytest.approx((min(b.low, b.agreement), max(b.high, b.agreement))) for b in bins]
    assert (ax.get_ylim(), ax.get_ylabel(), ax.get_xlabel()) == ((0, 1), "Agreement", "Effective n")


def test_long_matches_are_one_point(small, ax):
    longest = max((document.text for document in small.documents), key=len)
    found = small.compare_agreement([longest])
    found.plot(ax)
    (points,) = drawn(ax).values()
    bins = [b for b in found.bins if (b.series, b.by) == ("infgram", "effective_n")]
    tail = [b for b in bins if b.from_ >= 33]
    assert len(tail) > 1 and [place for place, _ in points] == [b.from_ for b in bins if b.from_ < 33] + [33]
    share = sum(b.agreeing_count for b in tail) / sum(b.token_count for b in tail)
    assert points[-1] == pytest.approx((33, share))
    assert "33" in ax.get_xlabel()


def test_figures_by_count_and_group(small, ax):
    found = small.compare_agreement(TEXTS, GROUPS)
    found.plot(ax, kind="count")
    bins = [b for b in found.bins if b.by == "count" and b.group == "a"]
    assert drawn(ax)["a"] == [(b.from_, b.agreement) for b in bins] and ax.get_xscale() == "log"
    second = Figure().subplots()
    found.plot(second, kind="groups")
    assert [tick.get_text() for tick in second.get_xticklabels()] == ["a", "b"]
    assert [share for _, share in drawn(second)[""]] == [source.agreement for source in found.sources[1:]]
    with pytest.raises(QueryError):
        found.plot(ax, kind="pie")


def test_an_axis_of_its_own(small):
    matplotlib.use("agg")
    ax = small.compare_agreement(TEXTS).plot()
    assert list(drawn(ax)) == ["All texts"]
    pyplot.close(ax.figure)


def test_names_of_groups_are_drawn_as_they_are(small, ax, tmp_path):
    """In matplotlib, a name with dollars is a formula, and one with a leading underscore has no place in the legend."""
    names = ["$\\frac$", "<b>", "_hidden", "مجموعة"]
    small.compare_agreement(TEXTS, names).plot(ax)
    second = Figure().subplots()
    small.compare_agreement(TEXTS, names).plot(second, kind="groups")
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == [r"\$\frac\$", "<b>", " _hidden", "مجموعة"] == [t.get_text() for t in second.get_xticklabels()]
    for axis in (ax, second):
        axis.figure.savefig(tmp_path / "a.svg")
        assert "&lt;b&gt;" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_a_group_without_tokens_has_no_point(small, ax):
    small.compare_agreement(["", TEXTS[0]], ["a", "b"]).plot(ax, kind="groups")
    assert list(ax.containers[0].lines[0].get_xdata()) == ["b"]
