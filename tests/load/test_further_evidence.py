"""Evidence from a second folder stands beside the project's own."""

from __future__ import annotations

import shutil
from pathlib import Path

from kb.home import Project, home
from kb.load import load


def _project(root: Path) -> tuple[Project, Path]:
    record = next((home() / "evidence").glob("matmul-512-f32-*.json"))
    (root / "evidence").mkdir()
    (root / "build" / "fresh").mkdir(parents=True)
    shutil.copy(record, root / "evidence" / record.name)
    return Project(root), record


def test_a_second_folder_is_read_with_paths_as_the_user_knows_them(tmp_path: Path) -> None:
    project, record = _project(tmp_path)
    text = record.read_text("utf-8").replace(f'"id": "{record.stem}"', '"id": "another-record"')
    (tmp_path / "build" / "fresh" / "another-record.json").write_text(text, "utf-8")
    loaded = load(project, kinds=("evidence",), evidence=[tmp_path / "build" / "fresh"])
    assert set(loaded.corpus.evidence) == {record.stem, "another-record"}
    place = loaded.corpus.evidence["another-record"].place
    assert place.path == "build/fresh/another-record.json"
    assert loaded.collected == 2


def test_the_projects_own_folder_is_not_read_twice(tmp_path: Path) -> None:
    project, _ = _project(tmp_path)
    loaded = load(project, kinds=("evidence",), evidence=[tmp_path / "evidence"])
    assert loaded.findings == ()
    assert loaded.collected == 1


def test_one_id_in_both_folders_is_a_finding(tmp_path: Path) -> None:
    project, record = _project(tmp_path)
    shutil.copy(record, tmp_path / "build" / "fresh" / record.name)
    loaded = load(project, kinds=("evidence",), evidence=[tmp_path / "build" / "fresh"])
    assert [finding.rule for finding in loaded.findings] == ["duplicate-id"]
