"""The axes: every closed set of words that qualifies a number, each with its sentence.

`unstated` is a word of its own on an axis that a source may leave open: it is
carried through to the verdict and is never a default.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Word(StrEnum):
    """A member of a closed set: its value as written in YAML, and one sentence."""

    sentence: str
    __hash__ = str.__hash__
    """As equal words have it; an enumeration's own hash costs a call each time."""

    def __new__(cls, value: str, sentence: str) -> Self:
        """Make the member `value` and keep its sentence."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    @classmethod
    def of(cls, value: str) -> Self:
        """The member written as `value`; raises `KeyError` for any other word."""
        member = cls._value2member_map_[value]
        assert isinstance(member, cls)  # noqa: S101 - the map holds only members
        return member


class Metric(Word):
    """What a number measures; decides which units and axes it needs."""

    MEMORY_CAPACITY = "memory_capacity", "How many bytes a memory holds."
    MEMORY_BANDWIDTH = "memory_bandwidth", "How many bytes a memory moves in a second."
    LINK_BANDWIDTH = "link_bandwidth", "How many bytes a link or network moves in a second."
    COMPUTE_THROUGHPUT = "compute_throughput", "How many arithmetic operations run in a second."
    POWER = "power", "Energy drawn in a second."
    ENERGY = "energy", "Energy drawn by a piece of work."
    FREQUENCY = "frequency", "Cycles of a clock in a second."
    COUNT = "count", "How many parts of one kind there are."
    LATENCY = "latency", "How long one piece of work takes."
    RATE = "rate", "How many tokens, samples or queries are done in a second."
    PRICE = "price", "Money for one unit of use."


class Interface(Word):
    """The physical memory or link that a number is about."""

    HBM = "hbm", "High-bandwidth memory beside the accelerator."
    ON_CHIP = "on_chip", "Memory on the accelerator die, such as caches or VMEM."
    HOST_DRAM = "host_dram", "Main memory of the host."
    LPDDR = "lpddr", "Low-power memory of a CPU that shares a module with accelerators."
    ICI = "ici", "Google's links between TPU chips."
    NVLINK = "nvlink", "NVIDIA's links between GPUs."
    NVLINK_C2C = "nvlink_c2c", "NVIDIA's link between a CPU and a GPU on one module."
    INFINITY_FABRIC = "infinity_fabric", "AMD's links between accelerators."
    NEURONLINK = "neuronlink", "AWS's links between Trainium chips."
    ETHERNET_SCALE_UP = "ethernet_scale_up", "Ethernet ports that join accelerators directly."
    DIE_TO_DIE = "die_to_die", "The link between two dies of one accelerator."
    PCIE = "pcie", "The PCI Express link between accelerator and host."
    NIC = "nic", "The network card that joins servers."


class Role(Word):
    """What an interface is for; two interfaces compare when they share a role."""

    DEVICE_MEMORY = "device_memory", "The accelerator's own large memory."
    ON_CHIP_MEMORY = "on_chip_memory", "Memory on the accelerator die."
    HOST_MEMORY = "host_memory", "Memory that belongs to the host CPU."
    SCALE_UP_LINK = "scale_up_link", "Links that join accelerators into one domain."
    HOST_LINK = "host_link", "The link between accelerator and host CPU."
    SCALE_OUT_NETWORK = "scale_out_network", "The network between servers."
    CHIP_TO_CHIP = "chip_to_chip", "A link inside one package or module."


ROLE_OF_INTERFACE: dict[Interface, Role] = {
    Interface.HBM: Role.DEVICE_MEMORY,
    Interface.ON_CHIP: Role.ON_CHIP_MEMORY,
    Interface.HOST_DRAM: Role.HOST_MEMORY,
    Interface.LPDDR: Role.HOST_MEMORY,
    Interface.ICI: Role.SCALE_UP_LINK,
    Interface.NVLINK: Role.SCALE_UP_LINK,
    Interface.NVLINK_C2C: Role.HOST_LINK,
    Interface.INFINITY_FABRIC: Role.SCALE_UP_LINK,
    Interface.NEURONLINK: Role.SCALE_UP_LINK,
    Interface.ETHERNET_SCALE_UP: Role.SCALE_UP_LINK,
    Interface.DIE_TO_DIE: Role.CHIP_TO_CHIP,
    Interface.PCIE: Role.HOST_LINK,
    Interface.NIC: Role.SCALE_OUT_NETWORK,
}
"""The role of an interface unless a claim states another one."""

MEMORIES = (Role.DEVICE_MEMORY, Role.ON_CHIP_MEMORY, Role.HOST_MEMORY)

ROLES_OF_METRIC: dict[Metric, tuple[Role, ...]] = {
    Metric.MEMORY_CAPACITY: MEMORIES,
    Metric.MEMORY_BANDWIDTH: MEMORIES,
    Metric.LINK_BANDWIDTH: tuple(role for role in Role if role not in MEMORIES),
}
"""What an interface must be for, for a metric to be about it."""


def interfaces_of(metric: Metric | None) -> tuple[Interface, ...]:
    """The interfaces that a number of `metric` can be about; all of them for any other metric."""
    roles = ROLES_OF_METRIC.get(metric) if metric is not None else None
    return tuple(one for one in Interface if roles is None or ROLE_OF_INTERFACE[one] in roles)


class Scope(Word):
    """The part of a product that a number is about."""

    DIE = "die", "One piece of silicon; never an accelerator by itself."
    CORE = "core", "One processing core of a chip, such as a TensorCore of a TPU."
    CHIP = "chip", "One accelerator as its vendor counts it (the word used for TPUs)."
    GPU = "gpu", "One accelerator as its vendor counts it (the word used for GPUs)."
    BOARD = "board", "A baseboard that carries several accelerators."
    HOST = "host", "One server or virtual machine with its accelerators."
    SLICE = "slice", "A configured part of a pod."
    POD = "pod", "The largest accelerator system of one interconnect; no Kubernetes pod."
    RACK = "rack", "A rack sold and wired as one system."

    @property
    def level(self) -> int:
        """0 die, 1 core, 2 one accelerator (chip and gpu alike), 3 a group of them."""
        if self is Scope.DIE:
            return 0
        if self is Scope.CORE:
            return 1
        return 2 if self in (Scope.CHIP, Scope.GPU) else 3


class Direction(Word):
    """Which directions of a link a bandwidth counts."""

    ONE_WAY = "one_way", "One direction only."
    BIDIRECTIONAL_SUM = "bidirectional_sum", "Both directions added up."
    UNSTATED = "unstated", "The source does not say."


class Aggregation(Word):
    """Over what a bandwidth or capacity is added up."""

    PER_LINK = "per_link", "One link."
    PER_PORT = "per_port", "One port."
    PER_AXIS = "per_axis", "One axis of a torus."
    TO_ONE_PEER = "to_one_peer", "What one accelerator can send to one other."
    PER_DEVICE = "per_device", "All of one accelerator; the same as total at device scope."
    TOTAL = "total", "All of the stated scope."
    BISECTION = "bisection", "Across a cut that halves the system."
    ALL_REDUCE_PAYLOAD = "all_reduce_payload", "Payload of an all-reduce over the system."
    BUS = "bus", "Bus bandwidth of a collective, after the algorithm's factor."
    SWITCH = "switch", "What the switches carry."
    UNSTATED = "unstated", "The source does not say."


class Sparsity(Word):
    """Whether a compute rate counts multiplications by structural zeros."""

    DENSE = "dense", "Every operation is done."
    STRUCTURED_2_4 = "structured_2_4", "Two of four weights are zero and are counted as done."
    UNSTATED = "unstated", "The source does not say."


class Precision(Word):
    """The number format of an operand."""

    FP4 = "fp4", "Four-bit floating point, such as NVFP4 or MXFP4."
    FP6 = "fp6", "Six-bit floating point."
    FP8 = "fp8", "Eight-bit floating point, E4M3 or E5M2."
    INT4 = "int4", "Four-bit integers."
    INT8 = "int8", "Eight-bit integers."
    FP16 = "fp16", "IEEE half precision."
    BF16 = "bf16", "Eight exponent bits and seven fraction bits."
    TF32 = "tf32", "Nineteen-bit multiply inputs kept in 32 bits."
    INT32 = "int32", "32-bit integers."
    FP32 = "fp32", "IEEE single precision."
    FP64 = "fp64", "IEEE double precision."
    UNSTATED = "unstated", "The source does not say."


WIDE = frozenset({Precision.FP32, Precision.FP64, Precision.INT32})
"""Formats for which no product here has a structured-sparse mode."""


class Engine(Word):
    """The unit of the accelerator that does the arithmetic."""

    MATRIX = "matrix", "The matrix unit: Tensor Core or MXU."
    VECTOR = "vector", "The vector lanes."
    SCALAR = "scalar", "The scalar unit."
    UNSTATED = "unstated", "The source does not say."


class Basis(Word):
    """Where a number comes from."""

    VENDOR_PEAK = "vendor_peak", "The vendor's theoretical maximum."
    VENDOR_TYPICAL = "vendor_typical", "What the vendor calls typical."
    ADVERTISED = "advertised", "A label the vendor sells the product under."
    DEVICE_REPORTED = "device_reported", "What the device or its driver reports."
    USABLE = "usable", "What software may allocate after reservations."
    MEASURED = "measured", "Observed in a run."
    UNSTATED = "unstated", "The source does not say."

    @property
    def family(self) -> str:
        """`vendor` for the three words of a vendor, else the word itself."""
        vendor = (Basis.VENDOR_PEAK, Basis.VENDOR_TYPICAL, Basis.ADVERTISED)
        return "vendor" if self in vendor else self.value


class Boundary(Word):
    """What a measured interval encloses."""

    PROCESS_COLD = "process_cold", "Starting a fresh process until a device answers."
    FRAMEWORK_IMPORT = "framework_import", "Importing the framework in a fresh process."
    BACKEND_START = "backend_start", "Starting the backend until its devices are known."
    TRACE = "trace", "Running the Python function on abstract values."
    LOWER = "lower", "Turning the trace into StableHLO."
    COMPILE = "compile", "Compiling, or loading from a cache."
    FIRST_CALL = "first_call", "The first execution after compiling."
    DISPATCH_ONLY = "dispatch_only", "Enqueueing the work; ends before the work is done."
    WARM_HOST = "warm_host", "A warm call on the host clock, stopped when the result is ready."
    DEVICE_EVENTS = "device_events", "Between two events in one device stream."
    PROFILE_DEVICE = "profile_device", "Device time of the kernels in a profile."
    HOST_TO_DEVICE = "host_to_device", "Copying inputs to the device."
    DEVICE_TO_HOST = "device_to_host", "Copying results to the host."
    THROUGHPUT = "throughput", "Many calls in flight with one final wait."
    COLLECTIVE = "collective", "One collective operation on all workers."
    END_TO_END = "end_to_end", "The whole application path, input to output."
    UNSTATED = "unstated", "The source does not say."


class EvidenceClass(Word):
    """What kind of observation stands behind a piece of evidence."""

    EXECUTED_ON_TARGET = "executed_on_target", "Ran on the product that it speaks of."
    EXECUTED_ELSEWHERE = "executed_elsewhere", "Ran on another device; speaks for that one only."
    COMPILED_NOT_EXECUTED = "compiled_not_executed", "Compiled for the product, never run."
    IMPORTED = "imported", "Published by somebody else and read in."
    ESTIMATED = "estimated", "Computed from claims; nothing ran."


class Layer(Word):
    """The layer of the stack that a product or an option lives on."""

    FRAMEWORK = "framework", "Expresses the workload: JAX, PyTorch."
    COMPUTE_API = "compute_api", "What a backend targets: CUDA, ROCm."
    KERNEL = "kernel", "How one operation is written: generated, library, by hand."
    ACCELERATOR = "accelerator", "The hardware: TPU v6e, HGX B200."


class Arithmetic(Word):
    """Whether a number format runs natively."""

    NATIVE = "native", "The unit multiplies this format itself."
    CONVERTED = "converted", "Operands are converted to another format first."
    UNSTATED = "unstated", "The source does not say."


class Counting(Word):
    """How operations are counted."""

    MULTIPLY_ADD_IS_TWO = "multiply_add_is_two", "One multiply-add counts as two operations."
    MULTIPLY_ADD_IS_ONE = "multiply_add_is_one", "One multiply-add counts as one operation."
    UNSTATED = "unstated", "The source does not say."


class PowerState(Word):
    """The power limit or clock that a number holds for."""

    DEFAULT = "default", "The limit as delivered."
    MINIMUM = "minimum", "The lowest that is drawn or set."
    TYPICAL = "typical", "A usual load."
    MAXIMUM = "maximum", "The highest configurable limit."
    CAPPED = "capped", "A limit set below the default."
    BASE = "base", "The guaranteed clock."
    BOOST = "boost", "The highest clock."
    UNSTATED = "unstated", "The source does not say."


class Division(Word):
    """Under which rules a benchmark result was submitted."""

    CLOSED = "closed", "The reference model and its quality, whatever the number format."
    OPEN = "open", "Another model, training or quality is allowed; how it differs must be said."
    NETWORK = "network", "As closed, with the queries sent over a network."


class Availability(Word):
    """Whether what was measured can be had."""

    AVAILABLE = "available", "Can be bought or rented."
    PREVIEW = "preview", "Will be available by the next round."
    RDI = "rdi", "Research, development or internal: need never be available."


class Suite(Word):
    """The kind of system that a benchmark is laid out for."""

    DATACENTER = "datacenter", "Servers in a data centre."
    EDGE = "edge", "Systems outside a data centre."


class Scenario(Word):
    """How the load generator sends its queries."""

    OFFLINE = "offline", "All samples at once; counts throughput."
    SERVER = "server", "Queries at random times within a latency bound; counts throughput."
    INTERACTIVE = "interactive", "As server, with tighter bounds for a person who waits."
    SINGLE_STREAM = "single_stream", "One query after the other; counts latency."
    MULTI_STREAM = "multi_stream", "Eight samples a query, one after the other; counts latency."

    @property
    def counts_latency(self) -> bool:
        """Whether the primary metric is a latency, which is no sum over accelerators."""
        return self in (Scenario.SINGLE_STREAM, Scenario.MULTI_STREAM)


class Verification(Word):
    """Whether the benchmark's owner reviewed a result."""

    VERIFIED = "verified", "Went through the review of MLCommons."
    UNVERIFIED = "unverified", "Did not go through the review of MLCommons."


class Normalisation(Word):
    """What a published throughput is divided by."""

    TOTAL = "total", "As published: all of the system."
    PER_ACCELERATOR = "per_accelerator", "Divided by the accelerators; no metric of the benchmark."
    PER_WATT = "per_watt", "Divided by the measured system power; no metric of the benchmark."


class RunKind(Word):
    """Whether a benchmark ran under a power meter."""

    PERFORMANCE = "performance", "Without a power measurement."
    POWER = "power", "With the official measurement of system power."


RESULT_AXES: dict[str, type[Word] | None] = {
    "benchmark": None,
    "accuracy_target": None,
    "model": None,
    "version": None,
    "suite": Suite,
    "division": Division,
    "scenario": Scenario,
    "run": RunKind,
    "validity": None,
    "normalisation": Normalisation,
    "accelerator_count": None,
    "nodes": None,
    "availability": Availability,
    "verification": Verification,
    "number_formats": None,
}
"""Axes of a published benchmark result, in the order in which they are judged; those
without a closed set of words hold a name, a version or a number."""


UNSTATED = "unstated"

OTHER_INTERFACE = r"^other \S.{0,59}$"
"""An interface that is none of `Interface`: `other`, and its name as the source prints it.

Two such links are the same only where the names are; neither says what it is for, so the claim
states its role."""

SPOKEN = {"structured_2_4": "2:4 sparse"}
"""Words whose spelling in a sentence is more than blanks for underscores."""


def words(value: object) -> str:
    """A word of a closed set as it reads in a sentence."""
    return SPOKEN.get(str(value), str(value).replace("_", " "))
