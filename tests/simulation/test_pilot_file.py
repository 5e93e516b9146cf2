"""Pilot files that a simulation cannot read as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadheat import simulate
from deadheat.errors import InputError


@pytest.mark.parametrize(
    "text",
    [
        "item,a,b\n1,1,0\n2,,1\n3,0,0\n",  # elsewhere: --missing drop
        "item,a,b\n1,1,0\n1,0,1\n3,0,0\n",  # --run
        "id,model,grade\n1,a,1\n1,b,0\n2,a,0\n",  # --score
        "item,system,output\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n",  # --reference
    ],
)
def test_a_pilot_is_not_told_of_options_that_a_simulation_lacks(text: str, tmp_path: Path) -> None:
    pilot = tmp_path / "pilot.csv"
    pilot.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="without options") as error:
        simulate(pilot=pilot, replays=20)
    assert " --" not in str(error.value)
