"""The names by which devices of known products report themselves to JAX and to their driver."""

from types import MappingProxyType
from typing import Final

CPU: Final = "cpu"
"""The platform, and the kind that JAX gives to every processor."""

NAMELESS = (CPU, "unknown")
"""What is said of a processor whose name is not known."""

PRODUCT_OF_KIND = MappingProxyType(
    {
        "TPU v4": "tpu-v4",
        "TPU v5 lite": "tpu-v5e",
        "TPU v5": "tpu-v5p",
        "TPU v5p": "tpu-v5p",
        "TPU v6 lite": "tpu-v6e",
        "TPU v6e": "tpu-v6e",
        "TPU7x": "tpu7x",
        "NVIDIA B200": "hgx-b200",
        "NVIDIA B300 SXM6 AC": "hgx-b300",
        "NVIDIA H100 80GB HBM3": "h100-sxm",
        "NVIDIA H100 NVL": "h100-nvl",
        "NVIDIA H100 PCIe": "h100-pcie",
        "NVIDIA H200": "h200-sxm",
        "NVIDIA H200 NVL": "h200-nvl",
    }
)
"""Product ids by the exact device kind that JAX and the driver report.

Exact, since B300 and others are products whose names contain or resemble these.
"""

AMBIGUOUS = frozenset({"NVIDIA GB200"})
"""Names that the driver prints for the GPU of several products, so that they name none."""


def name_of(platform: str, kind: str, cpu_model: str) -> str:
    """What tells a device from others of its platform: of a processor its model's name."""
    return cpu_model if platform == CPU else kind


def platform_of(kind: str) -> str:
    """The platform on which JAX reports a kind of the table."""
    return "tpu" if kind.startswith("TPU ") else "gpu"


def known_as(product: str) -> tuple[str, ...]:
    """The kinds of the table that are this product."""
    return tuple(kind for kind, one in PRODUCT_OF_KIND.items() if one == product)
