"""Finds kernels and vendor tools in Python source by its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kb.measure.audit.heads import KERNEL_WORD
from kb.measure.audit.marks import VARIABLE, Found, Mark
from kb.measure.audit.native import native

_CALLS = {
    "pallas_call": Mark.PALLAS,
    "ffi_call": Mark.FFI_TARGET,
    "RawKernel": Mark.CUPY_RAW,
    "RawModule": Mark.CUPY_RAW,
    "ElementwiseKernel": Mark.CUPY_RAW,
    "ReductionKernel": Mark.CUPY_RAW,
    "inline_asm_elementwise": Mark.INLINE_PTX,
    "elementwise_inline_asm": Mark.INLINE_PTX,
}
_CUPY = frozenset(word for word, mark in _CALLS.items() if mark is Mark.CUPY_RAW)
_DECORATORS = {
    "triton.jit": Mark.TRITON,
    "numba.cuda.jit": Mark.NUMBA_CUDA,
    "cupyx.jit.rawkernel": Mark.CUPY_RAW,
}
_PALLAS = "jax.experimental.pallas"
_GRADIENT = ("custom_vjp", "custom_jvp", "defvjp", "defjvp")
_SHARDING = ("custom_partitioning", "def_partition", "shard_map")
_TOOLS = {"pynvml": Mark.DEVICE_TOOL, "nvtx": Mark.PROFILING}
_PROGRAMS = {"nvidia-smi": Mark.DEVICE_TOOL, "nsys": Mark.PROFILING, "ncu": Mark.PROFILING,
             "nvcc": Mark.BUILD}  # fmt: skip


TOO_DEEP = (ValueError, MemoryError, RecursionError)
"""What Python's parser raises for a null byte, and for what is nested beyond its stack."""


def python(text: str, name: str, constants: Mapping[str, str] | None = None) -> Iterator[Found]:
    """Everything vendor-bound in a Python source; raises `SyntaxError` where it is none.

    Raises one of `TOO_DEEP` too.

    `constants` are texts of other files by their dotted names.
    """
    tree = ast.parse(text)
    reader = _Reader(tree, name, constants or {})
    yield from reader.kernels()
    yield from reader.texts()
    yield from reader.tools()


def constants_of(text: str) -> Iterator[tuple[str, str]]:
    """Short texts to which a Python source gives a name; nothing where it is no Python."""
    if "ffi" not in text.lower() and "TARGET" not in text:
        return  # only names of foreign functions are looked up across files
    try:
        found = dict(_constants(ast.parse(text)))
    except (SyntaxError, *TOO_DEEP):
        return
    yield from ((word, value) for word, value in found.items() if len(value) < 200)


class _Reader:
    """One file: its imports, its functions and who calls whom."""

    def __init__(self, tree: ast.Module, name: str, others: Mapping[str, str]) -> None:
        self.others = others
        self.name = name
        self.nodes = list(ast.walk(tree))
        self.calls = [n for n in self.nodes if isinstance(n, ast.Call)]
        self.imports = dict(_imported(self.nodes))
        self.functions = [n for n in self.nodes if isinstance(n, ast.FunctionDef)]
        self.constants = dict(_constants(tree))
        self.uses = {f.name: _names(f) for f in self.functions}
        self.lengths = {f.name: _length(f) for f in reversed(self.functions)}
        self.homes: dict[int, str] = {}
        for function in sorted(self.functions, key=_length, reverse=True):  # the innermost last
            self.homes.update((id(node), function.name) for node in ast.walk(function))
        self.reached: dict[tuple[str, ...], set[str]] = {}

    def kernels(self) -> Iterator[Found]:
        """Kernel definitions and calls."""
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                yield from self._decorated(node)
            elif isinstance(node, ast.Call):
                yield from self._called(node)

    def texts(self) -> Iterator[Found]:
        """Kernels in CUDA C++ and vendor's variables inside strings that are no docstrings."""
        remarks = {id(n.value) for n in self.nodes if isinstance(n, ast.Expr)}
        raw = any(module.split(".")[0] == "cupy" for module in self.imports.values())
        for node in self.nodes:
            if not isinstance(node, ast.Constant) or id(node) in remarks:
                continue
            if not isinstance(node.value, str):
                continue
            if KERNEL_WORD in node.value:
                for each in native(node.value, self.name):
                    kernel = raw and each.mark is Mark.CUDA_KERNEL
                    mark = Mark.CUPY_RAW if kernel else each.mark
                    yield replace(each, mark=mark, line=node.lineno + each.line - 1)
            elif found := VARIABLE.search(node.value):
                yield Found(Mark.VARIABLE, found[1], self.name, node.lineno)

    def tools(self) -> Iterator[Found]:
        """Imports of vendor tools, and programs started with a list of words."""
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None) or node.names[0].name
                mark = _TOOLS.get(module.split(".")[0])
                if mark is not None:
                    yield Found(mark, module, self.name, node.lineno)
            elif isinstance(node, ast.List | ast.Tuple) and node.elts:
                first = node.elts[0]
                word = first.value if isinstance(first, ast.Constant) else None
                if isinstance(word, str) and word in _PROGRAMS:
                    yield Found(_PROGRAMS[word], word, self.name, node.lineno)

    def _decorated(self, node: ast.FunctionDef) -> Iterator[Found]:
        for decorator in node.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(decorator, ast.Call) and self._dotted(target) == "functools.partial":
                target = decorator.args[0] if decorator.args else target
            mark = self._decorator(self._dotted(target))
            if mark is not None:
                yield self._found(mark, node.name, node, _length(node))

    def _decorator(self, dotted: str) -> Mark | None:
        if dotted.startswith(_PALLAS) and dotted.endswith(".kernel"):
            return Mark.PALLAS
        return _DECORATORS.get(dotted)

    def _called(self, node: ast.Call) -> Iterator[Found]:
        dotted = self._dotted(node.func)
        word = dotted.rpartition(".")[2]
        mark = _CALLS.get(word)
        if mark is None or (word in _CUPY and not dotted.startswith("cupy.")):
            return
        if mark is Mark.CUPY_RAW and KERNEL_WORD in self._text(node):
            return  # the kernels are counted where their text stands
        yield self._found(mark, self._kernel_name(node, mark), node, self._kernel_lines(node))

    def _found(self, mark: Mark, name: str, node: ast.FunctionDef | ast.Call, lines: int) -> Found:
        # Rules for gradients and partitioning are JAX's; other kernels have neither notion.
        of_jax = mark in (Mark.PALLAS, Mark.FFI_TARGET)
        home = self.homes.get(id(node), "")  # empty at module level
        return Found(
            mark,
            name,
            self.name,
            node.lineno,
            lines,
            self._ruled(home, _GRADIENT) if of_jax else None,
            self._ruled(home, _SHARDING) if of_jax else None,
        )

    def _text(self, node: ast.Call) -> str:
        """The source that a call is given, as far as this file holds it."""
        first = node.args[0] if node.args else None
        first = next((word.value for word in node.keywords if word.arg == "code"), first)
        if isinstance(first, ast.Name):
            return self.constants.get(first.id, "")
        value = first.value if isinstance(first, ast.Constant) else ""
        return value if isinstance(value, str) else ""

    def _elsewhere(self, word: str) -> str:
        """The text of a name that another file of the tree gives; the name itself if none does."""
        dotted = self.imports.get(word, "")
        found = {
            value
            for name, value in self.others.items()
            if (dotted and f".{name}".endswith(f".{dotted}")) or f".{dotted}".endswith(f".{name}")
        }
        return found.pop() if len(found) == 1 else word

    def _kernel_name(self, node: ast.Call, mark: Mark) -> str:
        first = node.args[0] if node.args else None
        if mark is Mark.CUPY_RAW:
            named = node.args[1] if len(node.args) > 1 else None
            return str(named.value) if isinstance(named, ast.Constant) else mark.value
        if mark is Mark.INLINE_PTX:
            return "inline assembly"
        if isinstance(first, ast.Name):
            return self.constants.get(first.id) or self._elsewhere(first.id)
        if isinstance(first, ast.Attribute):
            return first.attr
        if mark is Mark.FFI_TARGET and isinstance(first, ast.Constant):
            return str(first.value)
        if isinstance(first, ast.Call) and first.args and isinstance(first.args[0], ast.Name):
            return first.args[0].id  # functools.partial(kernel, …)
        return mark.value

    def _kernel_lines(self, node: ast.Call) -> int:
        return self.lengths.get(self._kernel_name(node, Mark.PALLAS), 0)

    def _ruled(self, home: str, words: tuple[str, ...]) -> bool:
        """Whether a function that has such a rule reaches `home` by calls in this file."""
        if words not in self.reached:
            self.reached[words] = self._reached(words)
        return home in self.reached[words]

    def _reached(self, words: tuple[str, ...]) -> set[str]:
        ruled = {f.name for f in self.functions if self._marked(f, words)}
        ruled |= {n for n in self._named_at_top(words) if n in self.uses}
        seen: set[str] = set()
        queue = list(ruled)
        while queue:
            name = queue.pop()
            if name not in seen:
                seen.add(name)
                queue += [n for n in self.uses.get(name, ()) if n in self.uses]
        return seen

    def _marked(self, function: ast.FunctionDef, words: tuple[str, ...]) -> bool:
        for decorator in function.decorator_list:
            inner = [self._dotted(n) for n in ast.walk(decorator)
                     if isinstance(n, ast.Name | ast.Attribute)]  # fmt: skip
            if any(each.rpartition(".")[2] in words for each in inner):
                return True
        return False

    def _named_at_top(self, words: tuple[str, ...]) -> Iterator[str]:
        """Functions that are handed to a rule, as in `f.defvjp(forward, backward)`."""
        for node in self.calls:
            if self._dotted(node.func).rpartition(".")[2] in words:
                yield from _names(node)

    def _dotted(self, node: ast.AST) -> str:
        """`pl.pallas_call` as `jax.experimental.pallas.pallas_call`, by this file's imports."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ".".join(reversed(parts))
        parts.append(self.imports.get(node.id, node.id))
        return ".".join(reversed(parts))


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for each in node.names:
                yield (
                    each.asname or each.name.split(".")[0],
                    (each.name if each.asname else each.name.split(".")[0]),
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                yield each.asname or each.name, f"{node.module}.{each.name}"


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Texts that a module gives a name, such as the target of a foreign function."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                    yield target.id, node.value.value


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _length(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
