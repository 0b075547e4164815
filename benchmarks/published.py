"""Published figures for verification tasks, to stand beside the measured ones.

Sources: Celina Gomes do Val, *Conflict-Driven Symbolic Execution* (thesis, University of British Columbia, 2014):
seconds from tables 5.1, 5.2, 5.4 and 5.5, instructions from tables A.5 and A.6, names from tables A.1 and A.2; an
i7-2600K, KLEE of September 2012, limit 200 s. KLEE 3.2 with STP was run by this project (2 cores, aarch64; the time of
``klee`` without compilation). All with ``while (1)`` bounded to 50 passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

BOUND = 50
"""The bound under which all of these were measured."""

CBMC, KLEE, KLEE_NOW = "CBMC 4.7", "KLEE 2012", "KLEE 3.2"


def kite(decide: str) -> str:
    """The name of the thesis's own tool with the strategy that ``--decide`` calls so."""
    return f"Kite {decide}"


DECIDE = ("blackbox", "guide", "learn:5", "learn:10", "learn:15")
"""Strategies of which the thesis has figures."""


@dataclass(frozen=True, slots=True)
class Published:
    """One run of another tool; None for what is not known (or did not end)."""

    seconds: float | None = None
    paths: int | None = None
    instructions: int | None = None

    def to_json(self) -> dict[str, object]:
        return {"seconds": self.seconds, "paths": self.paths, "instructions": self.instructions}


# CBMC and KLEE seconds, KLEE instructions, then Kite's seconds and Kite's instructions in the order of DECIDE.
_THESIS = """
cdaudio_simpl1_safe     1.35  0.16  14095  0.62  0.27  0.30  0.28  0.27  23099   6465  11357   6465   6465
diskperf_simpl1_safe    0.41  0.45  12876  0.34  0.19  0.25  0.17  0.18   6046   3602   4122   3143   3421
floppy_simpl3_safe      0.30  0.06   4003  0.04  0.04  0.04  0.04  0.05    723    736    736    736    736
floppy_simpl4_safe      0.51  0.14   6945  0.76  0.25  0.25  0.25  0.25  13913   3257   3326   3292   3257
kbfiltr_simpl1_safe     0.11  0.02    655  0.01  0.01  0.01  0.02  0.02      0      0      0      0      0
kbfiltr_simpl2_safe     0.16  0.04   1909  0.02  0.02  0.02  0.02  0.02      0      0      0      0      0
s3_clnt_1_safe         52.51  0.93  17298  2.02  1.30  1.35  1.28  1.27  16557   6243   7481   6243   6243
s3_clnt_2_safe         53.92  0.92  17284  2.31  1.33  1.31  1.26  1.46  18008   5642   6034   5642   5642
s3_clnt_3_safe         67.37  0.95  17322  1.98  1.25  1.29  1.25  1.30  14819   5790   6077   5790   5790
s3_clnt_4_safe         54.45  0.92  17284  2.08  1.25  1.32  1.27  1.27  16413   5726   6074   5726   5726
s3_srvr_1_safe        169.76 68.58 549056 33.26 11.57 11.78 11.60 12.66 277252  50935  46063  50935  50935
s3_srvr_1a_safe         2.82  0.09   2684  0.58  0.56  0.57  0.61  0.58   6166   2824   5846   5399   5612
s3_srvr_1b_safe         0.61  0.09   1683  0.17  0.12  0.13  0.13  0.13   3977   1563   2490   2424   2314
s3_srvr_2_safe        157.06 40.72 614650 46.48 16.93 17.26 18.76 19.07 480643  82164 101893 116105 102153
s3_srvr_3_safe        158.55 40.36 615130 41.42 15.41 16.75 15.91 17.17 411546  71751  95342  76877  86574
s3_srvr_4_safe        159.71 40.39 613162 71.25 31.73 44.70 42.01 40.14 793898 219609 416020 387664 351395
s3_srvr_6_safe        184.12 40.62 625116 64.35 24.91 37.10 34.36 30.22 722191 187700 377336 338916 283695
s3_srvr_7_safe        172.86 40.30 616034 58.39 25.68 40.74 38.33 34.51 677706 207993 423542 399795 346147
s3_srvr_8_safe        174.41 39.86 615124 67.48 27.28 39.36 36.00 32.41 770891 204738 412356 359172 306548
floppy_simpl3_unsafe    0.31  0.24   2183  0.05  0.03  0.04  0.03  0.04    334    334    334    334    334
floppy_simpl4_unsafe    0.49  0.14   4762  0.07  0.06  0.06  0.06  0.06    819    543    543    543    543
kbfiltr_simpl2_unsafe   0.18  0.04   1736  0.03  0.02  0.02  0.02  0.02    244    244    244    244    244
cdaudio_simpl1_unsafe   1.83  0.07   3873  0.52  0.19  0.11  0.19  0.19  16064   6056   1085   6056   6056
s3_srvr_10_unsafe     130.86  0.04    467  0.05  0.03  0.03  0.03  0.03    602    414    414    414    414
s3_srvr_11_unsafe     178.63  0.62  11549  0.49  0.55  0.74  0.78  0.56   2658   2071   2858   2224   2071
s3_srvr_12_unsafe     197.32  1.60  46911     -     -  6.77  1.62 27.88      -      -  79136   5034 228371
s3_srvr_13_unsafe     185.79  0.27   4406  0.17  1.35  2.73  1.35  1.36   1052   3033  12038   3033   3033
s3_srvr_14_unsafe     172.38  0.15    539  0.06  0.05  0.04  0.05  0.04    500    489    496    489    489
s3_srvr_1_unsafe      167.25  0.09   1153  0.50  0.06  0.07  0.06  0.06   3959    610    677    610    610
s3_srvr_2_unsafe      154.35  0.10   1156  0.52  0.09  0.09  0.07  0.08   6427    632    632    632    632
s3_clnt_1_unsafe       52.92  0.13   2162  0.37  0.45  1.09  0.46  0.44   2710   2638   6280   2638   2638
s3_srvr_6_unsafe      183.94  0.04    378  0.04  0.04  0.03  0.04  0.04    377    377    377    377    377
s3_clnt_3_unsafe       67.48  0.18   2339  0.69  0.43  0.45  0.43  0.43   4200   2513   2501   2513   2513
s3_clnt_4_unsafe       54.34  0.14   2397  0.59  0.06  0.07  0.06  0.06   2964    649    729    649    649
s3_clnt_2_unsafe       54.23  0.38   2397  0.44  0.46  0.08  0.25  0.24   2550   1183    759   1183   1183
"""

# Seconds, paths, instructions.
_KLEE_NOW = """
cdaudio_simpl1_safe     0.44    338    23945
diskperf_simpl1_safe    0.60    395    30244
floppy_simpl3_safe      0.21     61     6732
floppy_simpl4_safe      0.41     94     9488
kbfiltr_simpl1_safe     0.08     10     1024
kbfiltr_simpl2_safe     0.14     28     2836
s3_clnt_1_safe          0.57    722    40085
s3_clnt_2_safe          0.58    722    40035
s3_clnt_3_safe          0.57    722    40063
s3_clnt_4_safe          0.58    722    40035
s3_srvr_1_safe        147.08 123522 11908159
s3_srvr_1a_safe         0.32     34     9128
s3_srvr_1b_safe         0.34     26     3511
s3_srvr_2_safe         13.91  25672  2552902
s3_srvr_3_safe         13.98  25672  2552422
s3_srvr_4_safe         14.09  25672  2548762
s3_srvr_6_safe         14.05  25672  2607482
s3_srvr_7_safe         14.28  25672  2557542
s3_srvr_8_safe         14.14  25672  2558482
cdaudio_simpl1_unsafe   0.38    121    13051
floppy_simpl3_unsafe    0.14     24     3031
floppy_simpl4_unsafe    0.29     37     4631
kbfiltr_simpl2_unsafe   0.12      6     1511
s3_clnt_1_unsafe        0.18     52     3698
s3_clnt_2_unsafe        0.18     53     3804
s3_clnt_3_unsafe        0.21    115     7666
s3_clnt_4_unsafe        0.29    113     7650
s3_srvr_1_unsafe        0.18     29     5117
s3_srvr_10_unsafe       0.07      4      352
s3_srvr_11_unsafe       0.41    306    36733
s3_srvr_12_unsafe       0.83    697   101125
s3_srvr_13_unsafe       0.29    147    12622
s3_srvr_14_unsafe       0.08     13     1078
s3_srvr_2_unsafe        0.18     26     4380
s3_srvr_6_unsafe        0.07      0     1391
"""


def published() -> Mapping[str, Mapping[str, Published]]:
    """Figures by task (``s3_clnt_1_safe``), then by tool."""
    figures: dict[str, dict[str, Published]] = {
        # What the thesis says about its listings 1.1 and 6.1, in whose spirit these two programs are.
        "distance_safe": {KLEE: Published(paths=8), kite("learn:10"): Published(paths=2)},
        "diamond_safe": {kite("learn:10"): Published(paths=1)},
    }
    for name, cells in _rows(_THESIS):
        count = len(DECIDE)
        seconds, instructions = cells[3 : 3 + count], cells[3 + count :]
        figures[name] = {
            CBMC: Published(_real(cells[0])),
            KLEE: Published(_real(cells[1]), None, _whole(cells[2])),
            **{
                kite(decide): Published(_real(time), None, _whole(work))
                for decide, time, work in zip(DECIDE, seconds, instructions, strict=True)
            },
        }
    for name, (time, paths, work) in _rows(_KLEE_NOW):
        figures[name][KLEE_NOW] = Published(_real(time), _whole(paths), _whole(work))
    return figures


def thesis_instances() -> frozenset[str]:
    """The 35 tasks of the thesis."""
    return frozenset(name for name, _ in _rows(_THESIS))


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.split("\n"):
        if line:
            name, *cells = line.split()
            yield name, cells


def _real(cell: str) -> float | None:
    return None if cell == "-" else float(cell)


def _whole(cell: str) -> int | None:
    return None if cell == "-" else int(cell)
