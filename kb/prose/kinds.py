"""The kinds of mistakes that prose is searched for: what each is, why, wrong and right examples.

`kb explain` prints them, the site has a page for each, and a test lints every example.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LintKind:
    """One kind of finding of `kb lint`, explained."""

    severity: Literal["error", "warning"]
    message: str
    why: str
    wrong: tuple[str, ...]
    """Sentences that get this finding."""
    right: tuple[str, ...]
    """The same, said so that no error is found."""
    remedy: str


LINT_KINDS: dict[str, LintKind] = {
    "wrong-unit": LintKind(
        "error",
        "A number stands under a unit that changes its size, or arithmetic doesn't hold.",
        "GiB for GB is 7 % more, bits for bytes an eighth, and a slip of one prefix a factor of "
        "a thousand. The digits still look right, so nobody notices.",
        (
            "ICI on TPU v6e: 800 Gbps bidirectional per chip.",
            "Eight B200 at 180 GB each give 1.54 TB of HBM.",
        ),
        (
            "ICI on TPU v6e: 800 GBps bidirectional per chip.",
            "Eight B200 at 180 GB each give 1.44 TB of HBM.",
        ),
        "Copy the label that the vendor prints, and calculate again.",
    ),
    "wrong-sparsity": LintKind(
        "error",
        "A rate with structured sparsity is said to be dense, or the other way round.",
        "A sparse peak isn't available to a dense model. Vendors often print only the sparse "
        "one, with the mark in a footnote.",
        ("A B200 delivers 9,000 TFLOPS of dense FP8.",),
        ("A B200 delivers 4,500 TFLOPS of dense FP8, and 9,000 TFLOPS with 2:4 sparsity.",),
        "Say which one it is, and take the figure printed for it. Half of it is no licence: "
        "some products print another dense rate.",
    ),
    "wrong-precision": LintKind(
        "error",
        "A rate belongs to another number format.",
        "Each format has a rate of its own, and it need not double at each step.",
        ("A v5e chip offers 393 TFLOPS at bf16.",),
        ("A v5e chip offers 197 TFLOPS at bf16 and 393 TOPS at int8.",),
        "Name the format of the operands and take its figure.",
    ),
    "wrong-scope": LintKind(
        "error",
        "A figure of a whole is given for a part, or the other way round.",
        "Boards, pods and racks are sold under names that contain the name of their part.",
        ("A single Trillium chip peaks at 234.9 PFLOPs in bf16.",),
        ("A Trillium pod peaks at 234.9 PFLOPs in bf16.",),
        "Say whether one accelerator, a board, a pod or a rack is meant.",
    ),
    "wrong-direction": LintKind(
        "error",
        "A sum of both directions of a link is read as one direction, or the other way round.",
        "Most vendors print the sum, and a transfer uses one direction. The bus bandwidth of a "
        "collective is to be set against one direction too.",
        ("NVLink 5 moves 1.8 TB/s in each direction per B200.",),
        ("NVLink 5 moves 900 GB/s in each direction per B200.",),
        "Say which one is meant, and halve only where the vendor says that both are added.",
    ),
    "wrong-aggregation": LintKind(
        "error",
        "One link's bandwidth, a total, a bisection or an all-reduce figure is taken for another.",
        "They are sums over different things, so none follows from another by dividing.",
        ("The v6e pod has a bisection bandwidth of 102.4 TB/s.",),
        ("The v6e pod has a bisection bandwidth of 3.2 TB/s.",),
        "Name what the figure is summed over.",
    ),
    "wrong-interface": LintKind(
        "error",
        "A figure of one memory or link is given for another.",
        "HBM, NVLink, ICI, PCIe and the network differ by factors of ten, and a bottleneck sits "
        "on exactly one of them.",
        ("HGX B200 networking: 14.4 TB/s.",),
        ("HGX B200 NVLink, all eight GPUs together: 14.4 TB/s.",),
        "Name the memory or link that the vendor's row is about.",
    ),
    "wrong-basis": LintKind(
        "error",
        "A measured or reported value is given as what the vendor promises, or lies above it.",
        "A peak is no result, and a result is no peak. A measured rate above the peak means that "
        "the clock stopped early or operations were miscounted.",
        ("We measured 1,050 TFLOPS of bf16 on a single v6e chip.",),
        ("We measured 780 TFLOPS of bf16 on a single v6e chip, 85 % of its peak of 918 TFLOPs.",),
        "Say where the number comes from. Measure again where it is above the peak.",
    ),
    "wrong-engine": LintKind(
        "error",
        "A rate of the matrix units is given for the vector units, or the other way round.",
        "Code that doesn't reach the matrix units never sees their rate.",
        ("The CUDA cores of an H100 SXM reach 67 TFLOPS in FP64.",),
        ("The CUDA cores of an H100 SXM reach 34 TFLOPS in FP64.",),
        "Name the engine, as the vendor's row does.",
    ),
    "wrong-product": LintKind(
        "error",
        "The figure is another product's.",
        "Names that differ by one letter are sold side by side: B200 and B300, v5e and v5p, "
        "HGX B200 and GB200 NVL72.",
        ("A full Trillium pod scales to 9,216 chips.",),
        ("A full Trillium pod scales to 256 chips.",),
        "Take the figure from the page of the product that you name.",
    ),
    "wrong-number": LintKind(
        "error",
        "A figure holds under another condition than the one that is stated.",
        "A limit that can be configured isn't the value as delivered, for example.",
        ("The default power setting of one HGX B200 GPU is 1,000 W.",),
        ("The default power setting of one HGX B200 GPU is 700 W.",),
        "Name the condition that the vendor names.",
    ),
    "timing-without-completion": LintKind(
        "error",
        "A time is read as the duration of work that it doesn't enclose.",
        "Launches return before the work is done. A clock that doesn't wait sees the dispatch, "
        "and a first call contains compilation.",
        ("A CUDA kernel took 6 µs, timed without synchronizing.",),
        ("A CUDA kernel took 312 µs, synchronised before the clock stopped.",),
        "Wait for the result before the clock stops, and say so.",
    ),
    "framework-as-hardware": LintKind(
        "error",
        "A framework or compute API is given a chip's figure, or set against a chip.",
        "They are different layers. The chip behind both has the peak.",
        ("JAX reaches 918 TFLOPs whereas CUDA reaches 2.25 PFLOPS.",),
        ("JAX on B200 reached 1.9 PFLOPS in our measurement, JAX on v6e 780 TFLOPs.",),
        "Name the accelerator, and compare two options of one layer.",
    ),
    "ambiguous-number": LintKind(
        "warning",
        "A number has several readings, and the words around it don't decide.",
        "A guess would be a verdict on something that nobody wrote. The finding asks the "
        "question that would settle it.",
        ("A B200 does 4.5 PFLOPS.",),
        ("A B200 does 4.5 PFLOPS in FP8, dense.",),
        "Answer the question beside the number.",
    ),
    "unknown-number": LintKind(
        "warning",
        "The catalogue has another figure, and no known mistake makes this one.",
        "It may come from a document that the catalogue doesn't hold.",
        ("One H200 SXM has 4.89 TB/s of memory bandwidth.",),
        ("One H200 SXM has 4.8 TB/s of memory bandwidth.",),
        "Name the document, or add its statement to the catalogue.",
    ),
}
"""Every kind by its slug, as findings carry it."""
