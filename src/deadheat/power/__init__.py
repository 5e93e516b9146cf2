"""How many items resolve a gap, what so many items resolve, and what a resolved gap is worth.

Arrays and numbers only: two accuracies as four cells (`copula`), McNemar's test (`mcnemar`), the
ideal percentile interval (`bootstrap`), any interval over all outcomes (`enumeration`),
interval and test together (`reading`), means (`means`), widths (`precision`), wrong signs and
exaggerated sizes (`exaggeration`).
"""

from deadheat.power.bootstrap import percentile_items, percentile_power
from deadheat.power.copula import Cells, cells, cells_of_discordance, correlation_of
from deadheat.power.enumeration import Enumerated, enumerated
from deadheat.power.exaggeration import of_normal
from deadheat.power.mcnemar import connor, items_to_resolve, mcnemar_items, mcnemar_power
from deadheat.power.means import (
    items_for_means,
    miller_gap,
    miller_items,
    minimum_detectable,
    t_power,
)
from deadheat.power.precision import half_width, items_for_half_width
from deadheat.power.reading import reading_items, reading_power

__all__ = [
    "Cells",
    "Enumerated",
    "cells",
    "cells_of_discordance",
    "connor",
    "correlation_of",
    "enumerated",
    "half_width",
    "items_for_half_width",
    "items_for_means",
    "items_to_resolve",
    "mcnemar_items",
    "mcnemar_power",
    "miller_gap",
    "miller_items",
    "minimum_detectable",
    "of_normal",
    "percentile_items",
    "percentile_power",
    "reading_items",
    "reading_power",
    "t_power",
]
