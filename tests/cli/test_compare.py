"""`kb compare`: the answers that the project promises, and a stream that never stops."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kb.cli import main

ROOT = Path(__file__).resolve().parents[2]
HBM = ("hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth")


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def stream(lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
           ) -> tuple[int, list[dict[str, Any]]]:  # fmt: skip
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    code = main(["compare", "--stdin"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def side(**fields: object) -> dict[str, object]:
    return {"product": "TPU v6e", "metric": "memory_bandwidth", "published": "1638 GBps"} | fields


def test_two_memory_bandwidths_have_a_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *HBM]) == 0
    assert capsys.readouterr().out.startswith("comparable: 4.7 (the digits allow 4.669 to 4.733)")


def test_a_link_against_a_memory_names_the_claims_to_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    right = "tpu-v6e/chip-hbm-bandwidth"
    assert main(["compare", "hgx-b200/gpu-nvlink-bandwidth", right, "--exit-code"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("not comparable")
    assert "interface differs: nvlink against hbm" in out
    assert "use instead: hgx-b200/gpu-hbm-bandwidth" in out
    assert "use instead: tpu-v6e/chip-ici-bandwidth" in out


def test_an_open_direction_says_what_would_settle_it_and_the_licensed_chain(
    capsys: pytest.CaptureFixture[str],
) -> None:
    left = "hgx-b200/board-nvlink-bandwidth"
    assert main(["compare", left, "tpu-v6e/chip-ici-bandwidth", "--explain"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("undetermined")
    assert "direction is open: unstated against bidirectional sum" in out
    assert "that states whether the figure counts one direction or adds both" in out
    assert "divide by 8 gpus per board" in out
    assert "the left value is multiplied by 1/8" in out
    assert "if left direction is bidirectional sum: 2.25" in out
    assert "if left direction is one way: 4.5" in out


def test_a_board_and_its_gpus_agree_within_rounding(capsys: pytest.CaptureFixture[str]) -> None:
    pair = ("hgx-b200/board-hbm-capacity", "hgx-b200/gpu-hbm-capacity")
    assert main(["compare", *pair, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == "after_derivation"
    low, high = answer["ratio_interval"]
    assert low < 1 < high
    assert [step["kind"] for step in answer["derivation"]] == ["divide_by_count"]


def test_strict_lets_no_assessment_count(capsys: pytest.CaptureFixture[str]) -> None:
    pair = ("hgx-b200/gpu-peak-bf16-dense", "tpu-v6e/chip-peak-bf16")
    main(["compare", *pair])
    assert capsys.readouterr().out.startswith("comparable after derivation: 2.45")
    main(["compare", *pair, "--strict"])
    assert capsys.readouterr().out.startswith("undetermined")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compare"], "two claim ids are needed"),
        (["compare", HBM[0]], "two claim ids are needed"),
        (["compare", "hgx-b200/gpu-hbm-bandwith", HBM[1]], "did you mean hgx-b200/gpu-hbm-band"),
        (["compare", "nothing/here", HBM[1]], "there is no claim 'nothing/here'"),
        (["compare", *HBM, "third"], "unrecognized arguments: third"),
    ],
)
def test_a_mistake_is_one_sentence_with_a_remedy(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(str(end.code))
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert words in captured.err
    assert "fix: " in captured.err


def test_a_line_that_cannot_be_read_gets_an_error_and_the_rest_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"id": "good", "left": side(), "right": side(published="1.638 TB/s")})
    bad = [
        "{",
        "[]",
        '"text"',
        json.dumps({"id": 1, "left": side()}),
        json.dumps({"id": 2, "left": side(metric="speed"), "right": side()}),
        json.dumps({"id": 3, "left": side(published="180 gb"), "right": side()}),
        json.dumps({"id": 4, "left": side(direktion="one_way"), "right": side()}),
        json.dumps({"id": 5, "left": side(count=0), "right": side()}),
        json.dumps({"id": 6, "left": side(published="1e999 GB/s"), "right": side()}),
        json.dumps({"id": 7, "left": side(), "right": side(), "more": 1}),
    ]
    code, answers = stream([good, *bad, "", good], monkeypatch, capsys)
    assert code == 1
    assert [("error" in answer) for answer in answers] == [False, *[True] * len(bad), False]
    assert answers[0]["verdict"] == answers[-1]["verdict"] == "comparable"
    assert [answer["line"] for answer in answers[1:-1]] == list(range(2, len(bad) + 2))
    assert "write 'GB' or 'Gbit'" in answers[6]["error"]


def test_the_stream_keeps_the_order_and_any_id(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ids: list[object] = ["a", 7, None, {"x": 1}, ["y"]]
    lines = [json.dumps({"id": i, "left": side(), "right": side()}) for i in ids]
    code, answers = stream(lines, monkeypatch, capsys)
    assert code == 0
    assert [answer["id"] for answer in answers] == ids
    assert {answer["ratio"] for answer in answers} == {1.0}


def test_what_is_no_json_or_no_utf8_is_an_error_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"id": "good", "left": side(), "right": side()})
    twice = good.replace('"published": "1638 GBps"', '"published": "1 GBps", "published": "2 GBps"')
    raw = [good.encode(), twice.encode(), b'{"id": "\xff"}', b'{"id": NaN}', good.encode()]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(raw))))
    assert main(["compare", "--stdin"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [("error" in answer) for answer in answers] == [False, True, True, True, False]
    assert "written twice" in answers[1]["error"]


def test_a_side_may_be_the_id_of_a_claim_or_of_a_published_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    v6e = "mlperf-inference-v4.1/google-tpu-v6-x4-flax-stable-diffusion-xl-offline"
    v5e = "mlperf-inference-v4.1/google-tpu-v5e-x4-flax-stable-diffusion-xl-offline"
    pairs = [
        HBM,
        (HBM[0], side()),
        (v6e, v5e),
        (v6e, HBM[1]),
        (HBM[0], "hgx-b200/gpu-hbm-bandwith"),
    ]
    lines = [json.dumps({"id": n, "left": a, "right": b}) for n, (a, b) in enumerate(pairs)]
    code, answers = stream(lines, monkeypatch, capsys)
    assert code == 1
    for (left, right), answer in zip(pairs[2:4], answers[2:4], strict=True):
        assert isinstance(left, str)
        assert isinstance(right, str)
        main(["compare", left, right, "--json"])
        alone = json.loads(capsys.readouterr().out)
        assert {k: alone[k] for k in ("verdict", "ratio", "reasons")} == {
            k: answer[k] for k in ("verdict", "ratio", "reasons")
        }
    assert [answer.get("verdict") for answer in answers[:2]] == ["comparable"] * 2
    assert answers[2]["ratio"] is not None
    assert answers[3]["verdict"] != "comparable"
    assert "did you mean hgx-b200/gpu-hbm-bandwidth" in answers[4]["error"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (json.dumps({"left": side(count="a"), "right": side()}), "'count' must be a whole number"),
        (json.dumps({"left": side(count=0), "right": side()}), "it must be greater than or equal"),
        (json.dumps({"left": side(colour=1), "right": side()}), "'colour' is not a field here"),
        ('{"id": ' + "9" * 5000 + "}", "a number has 5000 digits; 1000 at most"),
        ("[" * 100_000, "too many brackets inside each other"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_in_plain_words(
    line: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (answer,) = stream([line], monkeypatch, capsys)
    assert code == 1
    assert said in answer["error"]
    for word in ("function-after", "str-enum", "literal[", "sys.set_int", "recursion", "Input"):
        assert word not in answer["error"]


def test_a_very_long_id_is_not_repeated_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "a" * 100_000, HBM[0]]) == 2
    told = capsys.readouterr().err
    assert "there is no claim 'aaa" in told
    assert len(told) < 300
