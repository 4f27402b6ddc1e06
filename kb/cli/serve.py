"""`kb serve`: the site on this machine, and the check on every save."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys

from kb.checking.store import cache_file
from kb.cli.project import open_project
from kb.cli.terminal import coloured
from kb.cli.watch import repeat
from kb.finding import CheckError, with_extra


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "serve",
        help="read the site while you write, checked on every save",
        description="Starts `mkdocs serve`, which builds the site again after a save, and says at "
        "once what the check finds. While the check finds errors the last sound site stays.",
    )
    parser.add_argument("--address", default="127.0.0.1:8000", metavar="HOST:PORT")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted; raises `CheckError` where there is no site to serve."""
    project = open_project(args)
    if not (project.root / "mkdocs.yml").is_file():
        raise CheckError(f"{str(project.root)!r} has no mkdocs.yml", "kb init writes one")
    if importlib.util.find_spec("mkdocs") is None:
        raise CheckError("mkdocs is not installed", with_extra("docs"))
    from kb.checking.standing import Standing
    from kb.report.text import render

    standing = Standing()

    def check() -> int:
        report = standing.check(project, cache=cache_file(project.root)).report
        sys.stdout.write(render(report, colour=coloured()))
        return report.exit_code

    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", args.address]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    # The program is named by us, and its arguments go past every shell.
    server = subprocess.Popen(command, cwd=project.root, env=environment)  # noqa: S603
    try:
        return repeat(project, check)
    finally:
        server.terminate()
        server.wait(10)
