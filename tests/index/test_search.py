"""What people type finds what they mean, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import pytest

from kb.index import Database, DatabaseError, query, search
from kb.index.words import cut

WANTED = {
    "v6e bandwidth": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "tpu-v6e bandwidth": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "TPUv6e bandw": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "Trillium": ("product", "tpu-v6e"),
    "trillium hbm": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "1638": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "1,638 GB/s": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "1638GBps": ("claim", "tpu-v6e/chip-hbm-bandwidth"),
    "180 GB": ("claim", "hgx-b200/gpu-hbm-capacity"),
    "180GB": ("claim", "hgx-b200/gpu-hbm-capacity"),
    "B200 HBM": ("claim", "hgx-b200/gpu-hbm-capacity"),
    "hgx-b200/gpu-hbm-bandwidth": ("claim", "hgx-b200/gpu-hbm-bandwidth"),
    "NVIDIA B200": ("product", "hgx-b200"),
    "dense versus sparse": ("rule", "dense-versus-sparse"),
    "retracing lengths": ("decision", "0001"),
    "matmul 8192 b200": ("evidence", "matmul-8192-hgx-b200-8-20261130-1"),
    "cuda kernels wgmma": ("evidence", "cuda-kernels-20261130-1"),
    "bucketing": ("evidence", "bucketing-cpu-20261130-152832-1"),
    "MLPerf v5.1": ("evidence", "mlperf-inference-v5.1"),
    "B200 11264.4": (
        "result",
        "mlperf-inference-v4.1/nvidia-b200-sxm-180gbx1-trt-llama2-70b-99-offline",
    ),
    "Blackwell datasheet": ("source", "nvidia-blackwell-datasheet"),
}
"""What is typed, and a record that is among the first ten for it."""


@pytest.mark.parametrize("words", WANTED)
def test_what_people_type_is_found(filled: Database, words: str) -> None:
    wanted = WANTED[words]
    found = [row[:2] for row in search(filled, words).rows[:10]]
    assert wanted in found


@pytest.mark.parametrize("words", [*WANTED, "hbm", "gb", "a", "9", "nvlink 1.8"])
def test_both_databases_find_the_same_in_the_same_order(
    full_sqlite: Database, full_postgres: Database, words: str
) -> None:
    assert search(full_sqlite, words) == search(full_postgres, words)


@pytest.mark.parametrize(
    "words",
    ["' OR 1=1 --", "a*b", "NEAR(x", "x AND", "id:x", "b200:*", "x'); DROP TABLE search; --"],
)
def test_no_search_text_is_read_as_a_command(filled: Database, words: str) -> None:
    before = query(filled, "SELECT count(*) FROM search").rows
    plain = search(filled, " ".join(cut(words)))
    assert search(filled, words) == plain
    assert query(filled, "SELECT count(*) FROM search").rows == before


@pytest.mark.parametrize("words", ['"', "%", "\\", "(((", " ", "'", "_"])
def test_a_search_for_signs_alone_is_refused(filled: Database, words: str) -> None:
    with pytest.raises(DatabaseError, match="no word or number"):
        search(filled, words)


def test_a_word_is_found_by_its_beginning_and_not_by_its_end(filled: Database) -> None:
    assert search(filled, "trill").rows[0][1] == "tpu-v6e"
    assert search(filled, "rillium").rows == ()


def test_somebodys_own_statement_may_read_the_words(filled: Database) -> None:
    rows = query(filled, "SELECT id FROM search WHERE kind = 'product' AND id = 'tpu-v6e'").rows
    assert rows == (("tpu-v6e",),)


def test_sqlite_matches_words_in_somebodys_own_statement(full_sqlite: Database) -> None:
    sql = "SELECT id FROM search WHERE search MATCH 'trillium' AND kind = 'product'"
    assert query(full_sqlite, sql).rows == (("tpu-v6e",),)
    with pytest.raises(DatabaseError):
        query(full_sqlite, "INSERT INTO search(search) VALUES ('rebuild')")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("TPU-v6e", "tpu v6e"),
        ("1,638 GB/s", "1638 gb s"),
        ("180GB", "180 gb"),
        ("1.8 TB/s", "1.8 tb s"),
        ("v5.1", "v5.1"),
        ("NVLink™ 5", "nvlink 5"),
        ("12,34", "12 34"),
        ("größe ﬁt", "große fit".replace("ß", "ss")),
        ("per_link", "per link"),
    ],
)
def test_records_and_questions_are_cut_into_the_same_words(text: str, words: str) -> None:
    assert " ".join(cut(text)) == words
    assert cut(words) == cut(text)
