"""The bids, copies of the platform's projects and teams, and the position in the events."""

import contextlib
import json
import sqlite3

SCHEMA = """
create table if not exists projects (id text primary key, body text not null);
create table if not exists teams (id text primary key, body text not null);
create table if not exists bids (
  id text primary key, project_id text not null, team_id text not null, author_id text,
  amount integer not null, message text not null, state text not null default 'OPEN'
);
create index if not exists bids_of_project on bids (project_id, id);
create index if not exists bids_of_team on bids (team_id, id);
create unique index if not exists one_choice on bids (project_id) where state in ('CHOSEN', 'ACCEPTED');
create table if not exists feed (id integer primary key check (id = 1), position text);
insert or ignore into feed values (1, null);
"""


def connect(file):
    """Each thread needs a connection. Only `transaction` begins transactions."""
    connection = sqlite3.connect(file, timeout=5, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


def create_tables(file):
    with contextlib.closing(connect(file)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.executescript(SCHEMA)


@contextlib.contextmanager
def transaction(connection):
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def save_copies(connection, table, items):
    rows = [(item["id"], json.dumps(item)) for item in items]
    connection.executemany(f"insert or replace into {table} values (?, ?)", rows)


def find_copy(connection, table, id):
    row = connection.execute(f"select body from {table} where id = ?", (id,)).fetchone()
    return json.loads(row["body"]) if row else None


def forget_authors(connection, team):
    """A bid belongs to its team, and names its author as long as that is a member. The membership also ends
    when the account is deleted."""
    members = [member["employeeId"] for member in team["members"] if member["status"] == "ACTIVE"]
    marks = ", ".join("?" * len(members))
    statement = f"update bids set author_id = null where team_id = ? and author_id not in ({marks})"
    connection.execute(statement, (team["id"], *members))
