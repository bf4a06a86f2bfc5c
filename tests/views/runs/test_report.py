"""The report: one file without script and network, in which names from outside are letters."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from runs_tools import HOSTILE, keep, memory, scenario
REPLACE

from ecocviz.lab.selection import Selection
from ecocviz.views.runs.facts import asked, list_runs
from ecocviz.views.runs.words_report import report
from ecocviz.views.shared.draw.outside import JOINER
