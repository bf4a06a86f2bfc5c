"""Tables on their way out: CSV that a spreadsheet will not execute."""

import pandas as pd

from ecocviz.data.readers_numbers import NUMBER


def write_csv(frame: pd.DataFrame) -> str:
    r"""Write a table as CSV with text cells that could be formulas neutralised.

    A spreadsheet takes a cell that starts with = + - @ for a formula: such texts, column names
    included, get an apostrophe in front. Numbers, and texts that are plain numbers, stay as they are.
    Lines end as RFC 4180 says.

    Examples
    --------
    >>> write_csv(pd.DataFrame({"a": [-1.5], "b": ["=1+1"]}))
    "a,b\r\n-1.5,'=1+1\r\n"
    """
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    safe = [
        column if pd.api.types.is_numeric_dtype(column.dtype) else column.astype("object").map(_safe)
        for column in columns
    ]
    header = [str(_safe(name)) for name in frame.columns]
    joined = pd.concat(safe, axis=1) if safe else frame
    # With both characters in the line end, a cell that holds either is quoted and starts no new row.
    return joined.to_csv(index=False, header=header, lineterminator="\r\n")


def _safe(cell: object) -> object:
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    # Leading blanks do not stop a spreadsheet, and a tab or line end may start a formula too.
    return f"'{cell}" if cell.lstrip()[:1] in {"=", "+", "-", "@"} or cell[:1] in {"\t", "\r", "\n"} else cell
