"""The nine cells of the reader."""

from __future__ import annotations

from kb.pages.reader.parts import Asks, Cell, Edge, Path, Stage
from kb.qualifiers import Boundary

PROGRAMS = ("matmul-8192", "attention-32k", "transformer-layer")
EXECUTED = ("matmul-8192", "elementwise-64m", "gather-1m")
SPREAD = ("transformer-layer", "mlp-stack", "collectives")

_TRACED = Asks(
    retracing="Count the compile events of a run. A new shape, type or static value compiles "
    "again, and so does a function that is jitted anew in a hot loop. Track the shapes that "
    "really occur; rounding them up to buckets trades compilations for padding, so measure both.",
    moving="Nothing moves yet. An array that the function closes over becomes a constant of the "
    "program and grows it.",
    waiting="Only the host works here. Compiling is no device time.",
    communicating="Partitioning happens here: the collectives of the step are fixed now and can "
    "be counted before anything runs.",
)

CELLS = (
    Cell(
        Path.JAX_GPU,
        Stage.COMPILE,
        (
            ("you", "a function of arrays, a signature that repeats, a reference with a tolerance"),
            ("JAX", "runs the Python with abstract values and lowers the record to StableHLO"),
            ("XLA", "fuses, lays out, and takes for each operation a library, Triton or own code"),
            ("the driver", "may finish PTX into machine code for the GPU that is there"),
        ),
        Edge.COMPILE,
        "Read the optimised HLO: custom calls are NVIDIA's libraries, fusions are generated. Which "
        "one a matrix product takes is decided by timing on the device, so a compile without the "
        "device leaves it open.",
        ("trace", "stages"),
        _TRACED,
        "Which operations become library calls, which are generated, and what is left to write by "
        "hand: the first of the three numbers of a portability claim.",
        "kb measure compile transformer-layer --target hgx-b200:8",
        programs=PROGRAMS,
        seen_at=(Boundary.TRACE, Boundary.LOWER, Boundary.COMPILE),
    ),
    Cell(
        Path.JAX_GPU,
        Stage.EXECUTION,
        (
            ("you", "place inputs before the clock, warm up, and stop it when the result is ready"),
            ("JAX", "looks the signature up, enqueues, and returns before the work is done"),
            ("CUDA", "runs kernels and library calls in the order of their streams"),
            ("the GPU", "two dies that act as one device"),
        ),
        Edge.DEVICE,
        "One warm call that waits, beside the device time of a profile. The gap is Python, "
        "dispatch and synchronisation; it is no kernel time.",
        ("warm",),
        Asks(
            retracing="The size of the jit cache must not grow between warm calls.",
            moving="A NumPy argument is copied at every call. Place it once; reading a result back "
            "is another copy, and the sample says whether it is inside.",
            waiting="If the profile's device time fills the interval, yes. If not, look at Python "
            "and dispatch, and at many calls in flight: latency and throughput are two "
            "experiments.",
            communicating="Not on one GPU.",
        ),
        "A warm call and its profile at the shapes that really occur, checked against the "
        "reference, on a B200.",
        "kb measure run matmul-512-f32",
        ("hgx-b200/gpu-hbm-bandwidth", "hgx-b200/gpu-hbm-capacity", "hgx-b200/gpu-peak-bf16-dense"),
        EXECUTED,
        (Boundary.WARM_HOST, Boundary.PROFILE_DEVICE, Boundary.THROUGHPUT),
    ),
    Cell(
        Path.JAX_GPU,
        Stage.SCALING,
        (
            ("you", "mesh, sharding of inputs and results, the batch that stays fixed"),
            ("XLA", "partitions the program and inserts the collectives"),
            ("NCCL", "moves the bytes over NVLink inside the board, over the network beyond it"),
            ("all workers", "the step ends with the slowest"),
        ),
        Edge.SCALING,
        "Look whether an intermediate is replicated, usefully partitioned, or gathered again and "
        "again. NVLink between eight GPUs promises nothing between two servers.",
        ("sharded",),
        Asks(
            retracing="Another mesh or sharding is another program.",
            moving="The input pipeline feeds every host; a slow one holds up all devices.",
            waiting="Record the slowest worker, not the mean.",
            communicating="Compare the bytes on the wire with the time that the collectives take "
            "in a profile, at the real message sizes and with contention.",
        ),
        "The same global batch on one and on eight GPUs, and the same batch a GPU on both.",
        "kb measure compile collectives --target hgx-b200:8",
        (
            "hgx-b200/gpu-nvlink-bandwidth",
            "hgx-b200/board-nvlink-bandwidth",
            "hgx-b200/board-hbm-capacity",
        ),
        SPREAD,
        (Boundary.COLLECTIVE, Boundary.END_TO_END),
    ),
    Cell(
        Path.JAX_TPU,
        Stage.COMPILE,
        (
            ("you", "the same function; shapes that fill the tiles of the matrix unit"),
            ("JAX", "the same trace; some operations lower by other rules"),
            ("XLA for TPU", "fuses, chooses layouts and tiles, schedules the TensorCore ahead"),
            ("the runtime", "loads the program; no driver compiles it again"),
        ),
        Edge.COMPILE,
        "Read the optimised HLO of this target, not that of the GPU: layouts, fusions and number "
        "formats are chosen anew. What has no rule here, such as a CUDA kernel behind a foreign "
        "call, is refused now.",
        ("trace", "stages"),
        _TRACED,
        "The same traced program for both targets, row by row: what remains, what changes, what is "
        "refused.",
        "kb measure compile transformer-layer --target tpu-v6e:2x4",
        ("tpu-v6e/core-matrix-units", "tpu-v6e/core-vector-lanes"),
        (*PROGRAMS, "ffi-call"),
        (Boundary.TRACE, Boundary.LOWER, Boundary.COMPILE),
    ),
    Cell(
        Path.JAX_TPU,
        Stage.EXECUTION,
        (
            ("you", "place inputs before the clock, warm up, and stop it when the result is ready"),
            ("JAX", "the same asynchronous dispatch"),
            ("the TensorCore", "runs one program with its matrix, vector and scalar units"),
        ),
        Edge.DEVICE,
        "One warm call that waits, beside the device time of a profile. A float32 expression does "
        "not fix the mode of the matrix unit: say which precision setting was used.",
        ("warm",),
        Asks(
            retracing="The size of the jit cache must not grow between warm calls.",
            moving="Host and chip are joined by PCIe; placing and reading back are no device time.",
            waiting="If the profile's device time fills the interval, yes; then ask which unit is "
            "busy. Padding to tiles is work that no result needs.",
            communicating="Not on one chip.",
        ),
        "A warm call and its profile at the shapes that really occur, checked against the "
        "reference, on a v6e chip.",
        "kb measure run matmul-512-f32",
        ("tpu-v6e/chip-hbm-bandwidth", "tpu-v6e/chip-hbm-capacity", "tpu-v6e/chip-peak-bf16"),
        EXECUTED,
        (Boundary.WARM_HOST, Boundary.PROFILE_DEVICE, Boundary.THROUGHPUT),
    ),
    Cell(
        Path.JAX_TPU,
        Stage.SCALING,
        (
            ("you", "mesh and sharding that fit the slice's shape"),
            ("XLA", "partitions the program and inserts the collectives"),
            ("ICI", "moves the bytes over the links of a torus; a slice's shape changes the paths"),
            ("the hosts", "feed their chips; their network card is another interface than ICI"),
        ),
        Edge.SCALING,
        "Look which axis of the mesh lies on which axis of the torus, and whether it wraps around. "
        "A pod's aggregate or bisection is another thing than one chip's interface.",
        ("sharded",),
        Asks(
            retracing="Another slice or mesh is another program.",
            moving="Each host stages the inputs of its own chips.",
            waiting="Record the slowest worker, not the mean.",
            communicating="Count bytes on the wire for each axis; layouts may force a collective "
            "that the other backend does not need.",
        ),
        "The same global batch on one chip and on the slice, and the same batch a chip on both.",
        "kb measure compile collectives --target tpu-v6e:2x4",
        (
            "tpu-v6e/chip-ici-bandwidth",
            "tpu-v6e/chip-ici-ports",
            "tpu-v6e/pod-ici-bisection",
            "tpu-v6e/host-nic-bandwidth",
        ),
        SPREAD,
        (Boundary.COLLECTIVE, Boundary.END_TO_END),
    ),
    Cell(
        Path.CUDA,
        Stage.COMPILE,
        (
            (
                "you",
                "bounds, races, numerics, launch choices, and which architectures to build for",
            ),
            ("nvcc", "machine code for the named architectures, PTX for later ones"),
            ("the driver", "compiles PTX when the program is loaded on another architecture"),
        ),
        Edge.PROGRAM,
        "There is no trace: the source is the program. Look at registers, spills and the matrix "
        "instructions of the machine code. That it compiles does not show that it uses them.",
        ("kernel",),
        Asks(
            retracing="Nothing is traced. A first launch may still compile PTX; warm up before the "
            "clock.",
            moving="Nothing moves yet.",
            waiting="Only the host works here.",
            communicating="Nothing is inserted for you.",
        ),
        "The optimised library at the same shapes, then your kernel. A gain over a naive version "
        "is no reason; a gain at one narrow shape is said to be one.",
        "kb measure compile pallas-add --target hgx-b200:8",
        (),
        ("pallas-add", "ffi-call"),
        (Boundary.COMPILE,),
    ),
    Cell(
        Path.CUDA,
        Stage.EXECUTION,
        (
            ("you", "buffers, streams, their order, and every error"),
            ("CUDA", "runs each stream in order; different streams are free unless you join them"),
            ("the GPU", "the same device as under JAX: the same peaks bound it"),
        ),
        Edge.DEVICE,
        "Start and stop events in the stream of the work, the stop synchronised, errors checked "
        "before a time is accepted. A host timestamp after a launch delimits nothing.",
        ("events",),
        Asks(
            retracing="Nothing is traced.",
            moving="Copies are calls of your own. Say whether they are inside the interval.",
            waiting="Several streams need explicit dependencies and one boundary around all of it.",
            communicating="Not on one GPU.",
        ),
        "Library and kernel between the same two events, correct within the same tolerance.",
        "",
        ("hgx-b200/gpu-hbm-bandwidth", "hgx-b200/gpu-peak-bf16-dense", "hgx-b200/gpu-sms"),
        (),
        (Boundary.DEVICE_EVENTS, Boundary.HOST_TO_DEVICE, Boundary.DEVICE_TO_HOST),
    ),
    Cell(
        Path.CUDA,
        Stage.SCALING,
        (
            ("you", "the partition, every collective, its stream, its buffers and its failures"),
            ("NCCL", "the collectives that you call"),
            ("all workers", "the step ends with the slowest"),
        ),
        Edge.SCALING,
        "An explicit kernel gives neither sharding nor free communication. Draw the order of "
        "streams and collectives, and find the one event that all of them must reach.",
        ("joined",),
        Asks(
            retracing="Nothing is traced.",
            moving="Buffers for communication are yours too and count against the memory.",
            waiting="Record the slowest worker, not the mean.",
            communicating="Compare volumes with what a partitioned program of the same workload "
            "sends; the interface's peak is no payload rate.",
        ),
        "The same partition and the same messages as on the other path, with one boundary around "
        "the whole step.",
        "",
        ("hgx-b200/gpu-nvlink-bandwidth", "hgx-b200/board-nic-bandwidth"),
        (),
        (Boundary.COLLECTIVE, Boundary.END_TO_END),
    ),
)
"""Every path by every stage."""
