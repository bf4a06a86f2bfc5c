"""A file of the store as version 1 wrote it."""

import sqlite3
from contextlib import closing

VERSION_1 = """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL, title TEXT NOT NULL, name TEXT NOT NULL DEFAULT '', about TEXT NOT NULL,
        version TEXT NOT NULL, owner TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, n_points INTEGER NOT NULL,
        began REAL NOT NULL, touched REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0,
        process TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX runs_of ON runs (owner, touched);
    CREATE TABLE points (
        place INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        key TEXT NOT NULL, record TEXT NOT NULL, UNIQUE (run, key)
    );
    INSERT INTO runs VALUES (4, 'd4', 'sweep', 'Old', 'mine',
        '{"over":{"data":["iris"]},"scenario":{"v":"1"}}', '0.1.0', '', 'stopped', 1, 9, 1.5, 2.5, 3.5, '');
    INSERT INTO runs VALUES (7, 'd7', 'run', 'Older', '', '{"scenario":{"data":"glass","v":"1"}}',
        '0.1.0', 'ann', 'done', 0, 1, 1.0, 2.0, 3.0, '');
    INSERT INTO runs VALUES (8, 'd8', 'paper', 'Odd', '', '[]', '0.1.0', '', 'done', 0, 1, 1.0, 1.0, 3.0, '');
    INSERT INTO points (run, key, record) VALUES (4, 'b', '{"x":0.30000000000000004}');
    INSERT INTO points (run, key, record) VALUES (4, 'a', '{"x":1}');
    PRAGMA user_version = 1;
"""


def in_sql(path, script):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
