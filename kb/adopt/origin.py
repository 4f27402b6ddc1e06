"""Where CI gets kb: read from the installation, and from the CI files that are there.

The package is on no index, so no file names it by its bare name unless somebody says so:
whoever registered that name would run code in the CI of everybody who installs it.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit

DISTRIBUTION = "accelerator-kb"
EXAMPLE = f"{DISTRIBUTION} @ git+https://HOST/OWNER/REPOSITORY@COMMIT"
"""What to type after `--from`."""
_REMOTE = ("https", "ssh")
"""Schemes of addresses that another machine can reach, and that nobody on the way can change."""
_NOT_TOLD = "kb init was not told where CI gets kb"
_FAILING = (
    f"echo \"{_NOT_TOLD}. Type  kb init --from '{EXAMPLE}'  and commit what it writes.\""
    " >&2; exit 1"
)
_LOCAL = f"language: system  # {_NOT_TOLD}, so this is the kb on PATH"
_COMMAND = re.compile(r'python -m pip install "(?P<told>[^"\n]+)"|' + re.escape(_FAILING))
_LANGUAGE = re.compile(
    r'(?<=\n)(?P<entry> +entry: "?kb [^\n]*\n +)language: python\n'
    r'(?P<indent> +)additional_dependencies: \["(?P<told>[^"\n]+)"\]|' + re.escape(_LOCAL)
)
"""Only of a hook that runs kb: other hooks have their own dependencies."""


def installed_from() -> str | None:
    """What pip needs to install the very kb that runs, where another machine can reach that.

    An installation notes its address itself (PEP 610). A file, a folder and an index leave
    nothing that would hold elsewhere.
    """
    try:
        noted = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    told = json.loads(noted or "{}")
    address, vcs = str(told.get("url", "")), told.get("vcs_info")
    if urlsplit(address).scheme not in _REMOTE:
        return None
    parts = [f"subdirectory={told['subdirectory']}"] if told.get("subdirectory") else []
    if vcs:
        address = f"{vcs['vcs']}+{address}@{vcs['commit_id']}"
    else:
        hashes = told.get("archive_info", {}).get("hashes", {})
        parts += [f"{name}={value}" for name, value in sorted(hashes.items())[-1:]]
    return f"{DISTRIBUTION} @ {address}{'#' if parts else ''}{'&'.join(parts)}"


def install(requirement: str | None) -> str:
    """The shell command of a CI service: it installs kb, or fails and says what to type."""
    return f'python -m pip install "{requirement}"' if requirement else _FAILING


def language(requirement: str | None, indent: str = " " * 8) -> str:
    """The lines of a pre-commit hook that say where its program comes from."""
    if not requirement:
        return _LOCAL
    return f'language: python\n{indent}additional_dependencies: ["{requirement}"]'


def told(text: str) -> str | None:
    """What a CI file installs to get kb; nothing where it says nothing, or isn't about kb."""
    if "kb check" not in text:
        return None
    commands = [m["told"] for m in _COMMAND.finditer(text) if _is_ours(m["told"])]
    hooks = [m["told"] for m in _LANGUAGE.finditer(text) if m["told"]]
    return next(iter(commands + hooks), None)


def _is_ours(requirement: str | None) -> bool:
    """Whether a requirement or the file of a wheel bears our name, in any spelling of it."""
    if requirement is None:
        return False
    wheel = requirement.rpartition("/")[2].partition("-")[0] if ".whl" in requirement else ""
    return DISTRIBUTION in (_normal(_name(requirement)), _normal(wheel))


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]


def _normal(name: str) -> str:
    """A name as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_open(text: str) -> bool:
    """Whether a CI file waits for somebody to say where it gets kb."""
    return _NOT_TOLD in text


def is_bare(requirement: str | None) -> bool:
    """Whether a requirement is a name and maybe a version, which pip looks up in an index."""
    if requirement is None or " @ " in requirement or "://" in requirement:
        return False
    return _normal(_name(requirement)) == DISTRIBUTION


def with_name(requirement: str) -> str:
    """The requirement with our name before an address, by which it is found again."""
    alone = "://" in requirement and not re.match(r"[\w.-]+(?:\[[^\]]*\])?\s*@\s", requirement)
    return f"{DISTRIBUTION} @ {requirement}" if alone else requirement


def retold(text: str, requirement: str) -> str:
    """A CI file that installs another kb and is the same for the rest."""
    if told(text) is None and not is_open(text):
        return text

    def command(found: re.Match[str]) -> str:
        ours = found["told"] is None or _is_ours(found["told"])
        return install(requirement) if ours else found[0]

    def hook(found: re.Match[str]) -> str:
        return (found["entry"] or "") + language(requirement, found["indent"] or " " * 8)

    return _LANGUAGE.sub(hook, _COMMAND.sub(command, text))
