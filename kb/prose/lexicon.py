"""The words by which people qualify a number, English and German, as data.

Each line says an axis (or a role in the sentence), its value, and the spellings that mean
it. A spelling is a run of words; hyphens and blanks between them are alike. Product names
are not here: they come from the catalogue.
"""

from __future__ import annotations

import re

WORD = re.compile(r"\d+:\d+|[^\W_]+(?:_[^\W_]+)*")
"""One word of a sentence; hyphens and apostrophes end it."""

_TABLE = """
scope chip        | chip | chips | tpu chip | chip's
scope card        | card | cards | karte | karten
scope gpu         | gpu | gpus | accelerator | accelerators | oam
scope device      | per device | device | devices | je gerät | beschleuniger
scope gpu         | for each of its | each of its | each of the | per gpu | je gpu | pro gpu | each gpu | single gpu | one gpu
scope chip        | per chip | je chip | pro chip | each chip | single chip | one chip
scope board       | board | boards | baseboard | baseboards | hgx | superchip | superchips | platform
scope board       | module | modul | nvl4
scope host        | host | hosts | server | node | system | dgx | vm | machine | rechner | knoten
scope host        | box | virtual machine
scope slice       | slice | slices
scope pod         | pod | pods | per pod | je pod | superpod
scope rack        | rack | racks | nvl72 | schrank
scope stack       | stack | stacks | per stack
scope core        | per tensorcore | per core | one core | tensorcore's
each each         | each | apiece | je | jeweils | every
precision fp4     | fp4 | nvfp4 | mxfp4 | four bit float
precision fp6     | fp6 | mxfp6
precision fp8     | fp8 | ocp fp8 | mxfp8 | e4m3 | e5m2
precision int4    | int4
precision int8    | int8 | 8 bit integer
precision fp16    | fp16 | float16 | half precision
precision bf16    | bf16 | bfloat16
precision tf32    | tf32
precision fp32    | fp32 | float32 | single precision
precision fp64    | fp64 | float64 | double precision
accumulator fp32  | fp32 accumulation | fp32 accumulate | fp32 accumulator | accumulating in fp32
accumulator fp32  | accumulated in fp32 | accumulation in fp32 | float32 accumulation
accumulator fp32  | fp32 akkumulation | accumulates in fp32 | fp32 accumulators
accumulator fp16  | fp16 accumulation | fp16 accumulate | accumulating in fp16
accumulator bf16  | bf16 accumulation | accumulating in bf16
accumulator int32 | int32 accumulation | accumulating in int32
sparsity dense    | dense | dicht | dichte | without sparsity | ohne sparsity | no sparsity | unsparse
sparsity dense    | without structured sparsity | non sparse | sparsity off | without
sparsity structured_2_4 | sparse | sparsity | with sparsity | mit sparsity | 2:4 | 2:4 sparsity
sparsity structured_2_4 | structured sparsity | with structured sparsity | dünnbesetzt
direction one_way | one way | one direction | in one direction | unidirectional | each way | per direction
direction one_way | in each direction | each direction | either direction | pro richtung | je richtung
direction one_way | in eine richtung | one direction only | single direction | simplex | out | outbound
direction one_way | and direction | half duplex | in einer richtung | in jede richtung
direction bidirectional_sum | bidirectional | bi directional | both directions | both ways | bidi
direction bidirectional_sum | both directions added | two way | beide richtungen | bidirektional | in both
direction bidirectional_sum | in all | full duplex | in beiden richtungen | two directions
interface hbm     | hbm | hbm2 | hbm2e | hbm3 | hbm3e | gpu memory | device memory | fast memory
interface nvlink  | nvlink | nvswitch | nvlink 5 | nvlink 4 | nvlink5 | nvlink4 | nvlinks
interface nvlink_c2c | nvlink c2c | c2c
interface ici     | ici | interchip interconnect | inter chip interconnect
interface infinity_fabric | infinity fabric | xgmi
interface neuronlink | neuronlink | neuronlink v3
interface ethernet_scale_up | scale up | roce
interface pcie    | pcie | pci express | host link | host i o | pcie host i o | host interface
interface nic     | nic | nics | network | networking | network card | network cards | dcn | ethernet
interface nic     | data center network | data centre network | connectx | connectx 7 | scale out
interface nic     | netzwerk | netzwerkkarte | infiniband | compute fabric | bluefield
interface host_dram | dram | main memory | host memory | ram | hauptspeicher | system memory | arbeitsspeicher
interface on_chip | l2 | l2 cache | vmem | sram | smem | on chip memory
interface storage | ssd | nvme | disk | disks | storage | festplatte | logs | file system
interface die_to_die | die to die | between the dies | between its two dies | between dies
memory memory     | memory | speicher | memory capacity | capacity
memory memory     | memory bandwidth | speicherbandbreite | reads | liest | reads its memory | read
link link         | interconnect | link bandwidth | links | interconnect bandwidth | scale up ports
aggregation per_link | per link | each link | je link | pro link | one link | single link | a link
aggregation per_port | per port | each port | je port | pro port | one port | ports of | port
aggregation per_axis | per axis | je achse
aggregation to_one_peer | to one peer | to one neighbour
aggregation total | total | in total | together | combined | aggregate | aggregated | altogether | insgesamt
aggregation total | zusammen | summed | totals | overall | adds up | sum | all eight | between them
aggregation bisection | bisection | bisectional | bisektion | bisektionsbandbreite
aggregation all_reduce_payload | all reduce | allreduce
engine matrix     | tensor core | tensor cores | on its tensor cores | matrix unit | matrix units | mxu | mxus
engine vector     | outside | cuda core | cuda cores | vector unit | vector units | vpu | non tensor
engine vector     | without tensor cores | outside the tensor cores | ohne tensor cores | vector
engine both       | for both | both engines
basis measured    | measured | achieved | achieves | we saw | observed | clocked | took | ran | takes
basis measured    | gemessen | measurement | measure | benchmark | benchmarked | timed | sustained | we see
basis device_reported | nvidia smi | reports | reported | driver | prints in | reporting | meldet
basis usable      | usable | allocatable | can be used | bytes_limit | xla | compiler | cuda sees | nutzbar
basis advertised  | advertises | advertised | sold with | data sheet says | sells | beworben
power_state default | default | as delivered | set point | delivered | standardmäßig
power_state maximum | maximum | max | limit | up to | tdp | configurable | höchstens | peak power
older old         | older | old | earlier | former | launch | announced | preliminary | early | first edition
older old         | used to | previous | originally | 2023 | 2024 | until | was | ältere | früher | brief
source named      | product page | data sheet | datasheet | comparison table | table | press | textbook
source named      | white paper | page says | manual | announcement | aws lists | documentation
usage use         | needs | need | occupies | uses | allocates | fits | requires | job | model | weights | parameters
usage use         | checkpoint | braucht | belegt | offers room
doubt deny        | not | never | no ratio | cannot | can't | mustn't | wrong | wrongly | misread | confuse
doubt deny        | confused | instead of | rather than | mistake | kein | keine | nicht | falsch | myth
doubt deny        | misquoted | not compared | do not read | don't | mistaken | is chance
boundary dispatch_only | dispatch | dispatched | until the call returns | on return | call returns
boundary dispatch_only | enqueue | without block_until_ready | without synchronisation | without waiting
boundary dispatch_only | without synchronization | without synchronizing | not synchronised
boundary warm_host | block_until_ready | synchronised | synchronized | result exists | warm | waited
boundary warm_host | cuda synchronize | until the result exists | device events | after synchronisation
boundary first_call | first call | cold | first step | first execution | erster aufruf | first run
software framework | pytorch | tensorflow | torch
software compute_api | rocm | hip | opencl
blame cost        | wastes | waste | wasted | overhead | costs | adds | slows | penalty | loses | verschwendet
boundary compile  | compilation | compile | compiling | including compilation
"""

WORDS: dict[tuple[str, ...], tuple[str, str]] = {}
"""Spellings as runs of lower-case words, with the axis and the value they mean."""
for _line in _TABLE.strip().splitlines():
    _head, _, _rest = _line.partition("|")
    _axis, _value = _head.split()
    for _spelling in _rest.split("|"):
        WORDS[tuple(WORD.findall(_spelling.casefold()))] = _axis, _value

OTHERS = """
a100 | v100 | p100 | t4 | l4 | l40 | l40s | a10 | a30 | a40 | b100 | gh200 | gh100 | ad102 | rubin
vera rubin | volta | ampere | turing | ada | ada lovelace | pascal | dgx a100 | hgx a100 | dgx spark
dgx gh200 | gb10 | tpu v2 | tpu v3 | v2 | v3 | mi250 | mi250x | mi210 | mi100 | mi350x | mi400 | gaudi 2
gaudi2 | gaudi | inferentia | inferentia2 | trainium3 | groq | cerebras | wse 3 | maia | rtx 4090
rtx 5090 | rtx 3090 | rtx 6000 | jetson | xeon | epyc | grace | h20 | h800 | a800 | b40 | nvl144
"""
"""Accelerators that the catalogue doesn't hold: a figure beside one of them is not judged."""

NUMBER_WORDS = {
    word: value
    for value, words in {
        1: "one single ein eine einem einen a an",
        2: "two zwei both beide",
        3: "three drei",
        4: "four vier",
        5: "five fünf",
        6: "six sechs",
        7: "seven sieben",
        8: "eight acht",
        9: "nine neun",
        10: "ten zehn",
        12: "twelve zwölf",
        16: "sixteen sechzehn",
        18: "eighteen achtzehn",
        20: "twenty zwanzig",
        32: "thirty-two zweiunddreißig",
        64: "sixty-four vierundsechzig",
        72: "seventy-two zweiundsiebzig",
    }.items()
    for word in words.split()
}
"""Numbers that people spell out."""

GERMAN = frozenset(
    "der die das und mit ein eine einen seinen seine auf für nicht hat liest kommt sind im von je "
    "pro laut zu bei als wird es allerdings den dem des aus ist sich auch nur erreicht beim".split()
)
"""Function words that mark a sentence as German."""

ENGLISH = frozenset("the of a is and with per has in to at for by its an that as it".split())
"""Function words that mark a sentence as English."""

COUNTED = {
    word: kind
    for kind, words in {
        "accelerator": "chip chips gpu gpus card cards accelerator accelerators karten oams",
        "device": "device devices",
        "host": "host hosts server servers machine machines node nodes box boxes rechner",
        "virtual_machine": "vm vms",
        "tensorcore": "tensorcore tensorcores",
        "sparsecore": "sparsecore sparsecores",
        "tensor_core": "tensor",
        "matrix_unit": "mxu mxus",
        "multiprocessor": "sm sms",
        "link": "link links nvlinks",
        "port": "port ports",
        "network_card": "nic nics",
        "virtual_cpu": "vcpu vcpus",
        "die": "die dies",
    }.items()
    for word in words.split()
}
"""What a plain count may count, by the word that follows it."""
