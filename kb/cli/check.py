"""`kb check`: loads a knowledge base, judges it by every rule, and says what is wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kb.checking import check
from kb.checking.store import cache_file
from kb.cli.baseline import BaselineOptions, apply
from kb.cli.project import content_folders, nothing_checked, open_project
from kb.cli.terminal import show
from kb.cli.writing import refuse_content, write_file
from kb.finding import CheckError, quoted
from kb.home import Project
from kb.report import FORMATS, renderer
from kb.rules.result import Report

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Add `check` with its arguments."""
    parser = subparsers.add_parser(
        "check",
        help="load, validate and judge a knowledge base",
        description="Exit code 0: clean. 1: findings at error level. 2: the check did not "
        "happen or is not complete, or there was nothing to check.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="report only what is in these files and folders; everything is loaded all the same",
    )
    parser.add_argument(
        "--decisions",
        type=Path,
        metavar="DIR",
        help="judge the decision records below DIR, whatever tool wrote them, and nothing else",
    )
    parser.add_argument(
        "--no-local-validators",
        action="store_true",
        default=argparse.SUPPRESS,  # else it would undo the same word before the command
        help="run no rule of the knowledge base itself, only those that came with kb",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="the same as --format json",
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        type=_also,
        metavar="FORMAT=FILE",
        help="write the report into a file in another format too",
    )
    parser.add_argument(
        "--watch", action="store_true", help="check again after every save, until interrupted"
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="judge everything anew; the findings are the same, it only takes longer",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="processes for a large check (default: one for each idle core)",
    )
    _add_baseline(parser)


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline", type=Path, metavar="FILE", help="hide the findings that this file lists"
    )
    parser.add_argument(
        "--write-baseline", action="store_true", help="write the findings to the baseline"
    )
    parser.add_argument(
        "--grow-baseline", action="store_true", help="let an existing baseline get new findings"
    )


def run(args: argparse.Namespace) -> int:
    """Check once or on every save; raises `CheckError` where nothing was checked."""
    if args.decisions is not None:
        return _foreign(args)
    if not args.watch:
        return _once(
            args, lambda project: check(project, cache=_cache(args, project), jobs=args.jobs)
        )
    from kb.checking.standing import Standing
    from kb.cli.watch import repeat

    standing = Standing()

    def again(project: Project) -> Report:
        if args.no_cache:
            return check(project, jobs=args.jobs)
        return standing.check(project, cache=_cache(args, project), jobs=args.jobs).report

    return repeat(open_project(args), lambda: _once(args, again))


def _cache(args: argparse.Namespace, project: Project) -> Path | None:
    return None if args.no_cache else cache_file(project.root)


def _once(args: argparse.Namespace, judge: Callable[[Project], Report]) -> int:
    """Check the project and print the report."""
    options = BaselineOptions(args.baseline, args.write_baseline, args.grow_baseline)
    project = open_project(args)
    wanted = [_inside(project, path) for path in args.paths]
    if args.jobs is not None and args.jobs < 1:
        raise CheckError("--jobs must be above zero", "leave it out to use every idle core")
    whole = judge(project)
    report = whole.only(lambda path: not wanted or any(_under(path, top) for top in wanted))
    if not report.files:
        raise _nothing(project, whole, args.paths)
    report = apply(options, project, whole, report)
    report = replace(report, prefix=_prefix(project))
    _write_also(args.also, report, project)
    show(report, args.format)
    return report.exit_code


def _also(text: str) -> tuple[str, Path]:
    name, _, target = text.partition("=")
    if name not in FORMATS or not target:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no FORMAT=FILE; write one of {', '.join(FORMATS)}, '=' and a file"
        )
    return name, Path(target)


def _write_also(also: list[tuple[str, Path]], report: Report, project: Project) -> None:
    for name, target in also:
        refuse_content(target, project)
        write_file(target, renderer(name)(report), "choose another file for --also")


def _prefix(project: Project) -> str:
    """The folder of the project inside the git checkout around it; empty where it is the top."""
    root = project.root.resolve()
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    inside = root.relative_to(top).as_posix()
    return "" if inside == "." else f"{inside}/"


def _foreign(args: argparse.Namespace) -> int:
    """Judge records of other tools in their own terms, without demanding our fields."""
    from kb.cli.foreign import foreign_report, skipped_files

    if args.paths or args.baseline or args.watch:
        raise CheckError(
            "--decisions goes with no PATH, no baseline and no --watch", "name one of the two"
        )
    report = foreign_report(args.decisions)
    _write_also(args.also, report, Project(Path.cwd()))
    show(report, args.format)
    if skipped := skipped_files(args.decisions):
        print(f"no records, so not judged: {', '.join(skipped)}", file=sys.stderr)
    return report.exit_code


def _inside(project: Project, path: Path) -> str:
    """A path of the user as the project names it; raises `CheckError` where it is not there."""
    if not (path.exists() or path.is_symlink()):
        raise CheckError(f"there is no file or folder {quoted(str(path))}", "correct the path")
    # Not `resolve` on the file itself: a link is checked under its own name.
    absolute = path.parent.resolve() / path.name if path.name not in ("", "..") else path.resolve()
    try:
        return absolute.relative_to(project.root.resolve()).as_posix()
    except ValueError:
        raise CheckError(
            f"{str(path)!r} is outside the knowledge base {str(project.root)!r}",
            "name the knowledge base: kb --project DIR check …",
        ) from None


def _under(path: str, top: str) -> bool:
    return top in (".", path) or path.startswith(f"{top}/")


def _nothing(project: Project, whole: Report, paths: list[Path]) -> CheckError:
    if whole.files:
        named = ", ".join(str(path) for path in paths)
        return CheckError(
            f"nothing was checked: no content of the knowledge base is in {named}",
            "name a file or folder under " + ", ".join(content_folders(project)),
        )
    return nothing_checked(project, "check")
