"""How many are enough, and samples by strata."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from aigov_eval.batch import sizes
from aigov_eval.cli.main import run as command
from aigov_eval.errors import InputError
from aigov_eval.runner.interval import wilson
from tests.batch.talks import talk, write_lines


@pytest.mark.parametrize(
    ("rate", "confidence", "count"), [(0.01, 0.95, 299), (0.001, 0.95, 2995), (0.5, 0.5, 1), (0.05, 0.99, 90)]
)
def test_to_see_a_rate_once(rate: float, confidence: float, count: int) -> None:
    """The least number with which none seen is rarer than asked (the rule of three at 95 %)."""
    assert sizes.to_see(rate, confidence) == count
    assert (1 - rate) ** count <= 1 - confidence + 1e-12
    assert count == 1 or (1 - rate) ** (count - 1) > 1 - confidence


def test_to_measure_a_rate() -> None:
    """The interval is as narrow as asked at that number, and was not at half of it."""
    for rate, within in ((0.02, 0.005), (0.0, 0.01), (0.3, 0.05)):
        count = sizes.to_measure(rate, within)
        low, high = wilson(round(rate * count), count)
        assert high - low <= 2 * within
        low, high = wilson(round(rate * count / 2), count // 2)
        assert high - low > 2 * within


def test_to_tell_two_systems_apart() -> None:
    """The number of the textbooks, and the exact power at it is what was asked for, within two percent."""
    assert sizes.to_tell_apart(0.10, 0.20) == 199  # Fleiss: 199 a group at 80 %, 5 % two-sided
    for one, other in ((0.05, 0.15), (0.2, 0.35)):
        count = sizes.to_tell_apart(one, other)
        assert abs(_power(one, other, count) - 0.8) < 0.02
    with pytest.raises(InputError, match="equal rates"):
        sizes.to_tell_apart(0.1, 0.1)


def _power(one: float, other: float, count: int) -> float:
    """The chance that the z test of two proportions speaks at 5 %, summed over all outcomes."""

    def chances(rate: float) -> list[float]:
        return [math.comb(count, k) * rate**k * (1 - rate) ** (count - k) for k in range(count + 1)]

    a, b = chances(one), chances(other)
    total = 0.0
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            mean = (i + j) / (2 * count)
            spread = math.sqrt(2 * mean * (1 - mean) / count)
            if spread and abs(i - j) / count / spread > 1.959964:
                total += x * y
    return total


def test_repeats_that_are_alike_are_worth_less() -> None:
    """All alike, a repeat adds nothing; not at all alike, each counts."""
    assert sizes.repeated(299, 5, 1.0) == (299, 1495)
    assert sizes.repeated(299, 5, 0.0) == (60, 300)
    assert sizes.repeated(299, 1, 0.5) == (299, 299)


def test_the_command_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """Sizes and intervals for people and as JSON; questions without sense end with 2."""
    assert command(["sample", "size", "--rate", "0.01"]) == 0
    assert capsys.readouterr().out.startswith("299 conversations to see at least one leak")
    assert (
        command(["sample", "size", "--rate", "0.1", "--other", "0.2", "--repeats", "4", "--format", "json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["independent"] == 199
    assert command(["sample", "interval", "--found", "0", "--of", "300"]) == 0
    assert "0.00% to 1.26%" in capsys.readouterr().out
    for wrong in (
        ["size", "--rate", "2"],
        ["interval", "--found", "3", "--of", "2"],
        ["size", "--rate", "0.1", "--within", "0.01", "--other", "0.2"],
    ):
        assert command(["sample", *wrong]) == 2


def test_a_sample_by_strata(tmp_path: Path) -> None:
    """In proportion with at least one of each, the same for the same seed, weights that give back the whole, no row twice."""
    pytest.importorskip("pyarrow")
    lines = [
        json.dumps(
            {**talk(number), "model": "rare" if number == 500 else ("large", "small")[number % 4 == 0]}
        )
        for number in range(1000)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, "{broken"]) + "\n")

    def drawn(*more: str) -> list[dict[str, object]]:
        asked = [
            "sample",
            "draw",
            str(tmp_path / "a.jsonl"),
            "--by",
            "model",
            "--out",
            str(tmp_path / "s.jsonl"),
            *more,
        ]
        assert command(asked) == 0
        return [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]

    first = drawn("--count", "100")
    models = Counter(row["model"] for row in first)
    assert (models["rare"], sum(models.values())) == (1, 100)
    assert abs(models["large"] - 75) <= 1
    assert len({row["id"] for row in first}) == 100
    assert abs(sum(row["sample"]["weight"] for row in first) - 1000) < 0.1  # type: ignore[index]
    assert drawn("--count", "100") == first != drawn("--count", "100", "--seed", "2")
    assert Counter(row["model"] for row in drawn("--count", "20", "--equal")) == {
        "large": 20,
        "small": 20,
        "rare": 1,
    }
    assert command(["score", str(tmp_path / "s.jsonl"), "--format", "json"]) in (0, 1)
    assert (
        command(["sample", "draw", str(tmp_path / "a.jsonl"), "--by", "model", "--count", "2", "--out", "x"])
        == 2
    )


def test_a_table_gives_the_sample_of_its_lines(tmp_path: Path) -> None:
    """Parquet and JSONL of the same conversations give the same draw."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    write_lines(tmp_path / "a.jsonl", 50)
    pq.write_table(pa.Table.from_pylist([talk(number) for number in range(50)]), tmp_path / "a.parquet")
    ids = []
    for name in ("a.jsonl", "a.parquet"):
        assert (
            command(
                ["sample", "draw", str(tmp_path / name), "--count", "9", "--out", str(tmp_path / "s.jsonl")]
            )
            == 0
        )
        ids.append([json.loads(line)["id"] for line in (tmp_path / "s.jsonl").read_text().splitlines()])

    assert ids[0] == ids[1]
    assert len(ids[0]) == 9
