"""The local page: a server on this machine that runs the commands on what is dropped into it."""

from __future__ import annotations
