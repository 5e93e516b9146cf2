"""NeMo manifests: an utterance a line, with what was said and what a system heard."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import msgspec
import numpy as np

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.records import Records, without_constants
from deadheat.readers.table import Table

TOOL = "NeMo manifests"
VERSIONS = "manifests of a study of 2026 in NeMo's layout"
QUIRKS = (
    "The item is audio_filepath, the reference text and the output pred_text; where systems were "
    "given other folders, --item 'audio_filepath:[^/]+$' takes the names of the files.",
    "Several columns pred_text_NAME are several systems: name them with --system.",
    "A manifest without any pred_text is one of references, for --reference.",
    "Case and punctuation are kept; metrics normalise by --normalize lower,punctuation.",
)

ITEM, REFERENCE, OUTPUT = "audio_filepath", "text", "pred_text"
_LOOK = 1 << 16
_AUDIO = re.compile(rb'"audio_filepath"\s*:\s*"')
_TEXT = re.compile(rb'"(?:text|pred_text\w*)"\s*:')
_OF_NEMO = re.compile(rb'"(?:pred_text\w*|duration|offset)"\s*:')


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is an object with an audio file, and texts or a duration."""
    look = head[:_LOOK].lstrip()
    if not look.startswith(b"{"):
        return False
    line = look.partition(b"\n")[0]
    return all(mark.search(line) for mark in (_AUDIO, _TEXT, _OF_NEMO))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each line, with all its fields.

    Raises
    ------
    FormatError
        If a line is no object, or one utterance has no audio file.
    """
    decode = msgspec.json.Decoder(dict[str, object]).decode
    records = Records(log.path, wanted, os.path.getsize(log.path))
    numbers: list[int] = []
    for number, line in log.lines():
        try:
            try:
                record = decode(line)
            except msgspec.MsgspecError:
                record = decode(without_constants(line))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise log.broken(number, line, error, "an utterance of a manifest") from None
        if not isinstance(record.get(ITEM), str):
            raise FormatError(
                "the utterance has no audio_filepath.",
                where=f"{log.path}, line {number}",
                fix="Every line of a manifest names its audio file.",
            )
        numbers.append(number)
        records.add(record)
    columns = records.columns()
    outputs = [name for name in columns if name == OUTPUT or name.startswith(f"{OUTPUT}_")]
    roles = {"item": ITEM}
    if REFERENCE in columns:
        roles["reference"] = REFERENCE
    if len(outputs) == 1:
        roles["output"] = outputs[0]
    return Table(
        columns=columns,
        height=records.height,
        rows=Rows(word="line", lines=np.array(numbers, dtype=np.int64)),
        source=log.source("nemo"),
        roles=roles,
        nested=records.nested,
    )
