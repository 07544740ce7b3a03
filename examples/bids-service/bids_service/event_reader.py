"""Keeps the copies of projects and teams up to date."""

import json
import time

from .database import connect, forget_authors, save_copies, transaction
from .platform import PlatformError

TABLES = ("projects", "teams")
PROJECT_EVENTS = ("created", "edited", "status-changed", "deleted", "restored")
TEAM_EVENTS = ("created", "edited", "verified", "member-added", "member-changed", "member-removed")
# The events of users are of no interest.
TYPES = [f"project.{name}" for name in PROJECT_EVENTS] + [f"team.{name}" for name in TEAM_EVENTS]


def set_position(connection, position):
    connection.execute("update feed set position = ?", (position,))


def read_everything(platform, connection):
    """Lists all projects and teams, in pages. Events that follow tell what has changed meanwhile."""
    for table in TABLES:
        connection.execute(f"drop table if exists temp.listed_{table}")
        connection.execute(f"create temp table listed_{table} (id text primary key, body text)")
        for page in platform.pages(table):
            save_copies(connection, f"listed_{table}", page)
    with transaction(connection):
        for table in TABLES:
            connection.execute(f"delete from {table}")
            connection.execute(f"insert into {table} select * from listed_{table}")
        for (team,) in connection.execute("select body from teams"):
            forget_authors(connection, json.loads(team))
        set_position(connection, "")


def handle_page(platform, connection, page):
    """An event tells that something has changed, so read what it is now. If the process dies before the
    commit, it reads the page again."""
    projects = platform.find("projects", list_subjects(page, "project."))
    teams = platform.find("teams", list_subjects(page, "team."))
    with transaction(connection):
        save_copies(connection, "projects", projects)
        save_copies(connection, "teams", teams)
        for team in teams:
            forget_authors(connection, team)
        set_position(connection, page["next"])


def list_subjects(page, prefix):
    return [event["subject"] for event in page["data"] if event["type"].startswith(prefix)]


def read_events(platform, database_file):
    connection = connect(database_file)
    while True:
        (position,) = connection.execute("select position from feed").fetchone()
        try:
            if position is None:  # nothing has been read yet, or events were lost
                read_everything(platform, connection)
                position = ""
            for page in platform.events(position, type=TYPES):
                handle_page(platform, connection, page)
        except PlatformError as error:
            if error.code == "EVENTS_EXPIRED":
                set_position(connection, None)
            elif error.is_temporary:
                time.sleep(1)
            else:
                raise
