"""One small example of each known format, and the turns that it must give."""

from __future__ import annotations

from tests.readers.cases_of_providers import PROVIDERS
from tests.readers.cases_of_tools import TOOLS
from tests.readers.cases_of_traces import TRACES

CASES = PROVIDERS | TOOLS | TRACES
