"""The rules: who may make, see and accept bids."""

from .database import find_copy, transaction

OPEN_STATUSES = ("PUBLISHED", "TEAM_SELECTION")


class Rejected(Exception):
    """A response that the caller gets as it is."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


def find_own_membership(platform, caller, team_id):
    """Asks the platform, not the copy: a right that is taken away must end at the next request."""
    team = platform.get("teams", team_id)
    for member in team["members"]:
        if member["employeeId"] == caller["profile_id"] and member["status"] == "ACTIVE":
            return team, member
    raise Rejected(404, "TEAM_NOT_FOUND")


def find_bid(connection, bid_id):
    return connection.execute("select * from bids where id = ?", (bid_id,)).fetchone()


def is_complete(id, projectId, teamId, amount, message):
    texts = (id, projectId, teamId, message)
    return (
        all(isinstance(text, str) and 0 < len(text) <= 4000 for text in texts)
        and isinstance(amount, int)
        and 0 < amount <= 1_000_000_000
    )


def create_bid(platform, connection, caller, body):
    """The frontend chooses the id, so that it can repeat the request."""
    bid = {name: body.get(name) for name in ("id", "projectId", "teamId", "amount", "message")}
    if not is_complete(**bid):
        raise Rejected(400, "BID_INCOMPLETE")
    team, member = find_own_membership(platform, caller, bid["teamId"])
    if not member["canSubmit"]:
        raise Rejected(403, "MAY_NOT_SUBMIT")
    if team["status"] != "ACTIVE":
        raise Rejected(409, "TEAM_NOT_VERIFIED")
    project = platform.get("projects", bid["projectId"])
    if project["deletedAt"] or project["status"] != "PUBLISHED":
        raise Rejected(409, "PROJECT_NOT_PUBLISHED")
    with transaction(connection):
        connection.execute(
            "insert or ignore into bids (id, project_id, team_id, amount, message, author_id)"
            " values (:id, :projectId, :teamId, :amount, :message, :author)",
            {**bid, "author": caller["profile_id"]},
        )
        stored = find_bid(connection, bid["id"])
    fields = ("id", "project_id", "team_id", "amount", "message")
    if [stored[field] for field in fields] != list(bid.values()):
        raise Rejected(409, "BID_EXISTS")
    return to_body(connection, stored)


def list_bids(platform, connection, caller, query, limit=20):
    """Customers see the bids on a project of theirs, employees those of a team of theirs."""
    if caller["kind"] == "customer":
        column, value = "project_id", query.get("projectId", "")
        if platform.get("projects", value)["ownerId"] != caller["sub"]:
            raise Rejected(404, "PROJECT_NOT_FOUND")
    else:
        column, value = "team_id", query.get("teamId", "")
        find_own_membership(platform, caller, value)
    rows = connection.execute(
        f"select * from bids where {column} = ? and id > ? order by id limit ?",
        (value, query.get("cursor", ""), limit + 1),
    ).fetchall()
    data = [to_body(connection, row) for row in rows[:limit]]
    return {"data": data, "nextCursor": data[-1]["id"] if len(rows) > limit else None}


def accept_bid(platform, connection, caller, bid_id):
    """Two databases change, so the choice is stored first. If the process dies or the platform is
    unavailable, the repeated request completes it."""
    bid = find_bid(connection, bid_id)
    project = platform.get("projects", bid["project_id"]) if bid else None
    if not project or project["ownerId"] != caller["sub"] or project["deletedAt"]:
        raise Rejected(404, "BID_NOT_FOUND")
    if bid["state"] == "ACCEPTED":
        return to_body(connection, bid)
    # While the bid is open, somebody else has begun the contract; otherwise an earlier request has.
    if project["status"] not in OPEN_STATUSES + (() if bid["state"] == "OPEN" else ("CONTRACTING",)):
        raise Rejected(409, "PROJECT_NOT_PUBLISHED")
    with transaction(connection):
        connection.execute(
            "update or ignore bids set state = 'CHOSEN' where id = ? and state = 'OPEN'", (bid_id,)
        )
        if find_bid(connection, bid_id)["state"] == "OPEN":
            raise Rejected(409, "ANOTHER_BID_CHOSEN")
    if project["status"] in OPEN_STATUSES:
        change = {"status": "CONTRACTING", "contractingStage": "NEGOTIATION"}
        platform.patch("projects", project["id"], body=change, if_match=project["etag"])
    connection.execute("update bids set state = 'ACCEPTED' where id = ?", (bid_id,))
    return to_body(connection, find_bid(connection, bid_id))


def to_body(connection, bid):
    project = find_copy(connection, "projects", bid["project_id"]) or {}
    team = find_copy(connection, "teams", bid["team_id"]) or {}
    return {
        "id": bid["id"],
        "projectId": bid["project_id"],
        "projectTitle": project.get("title"),
        "projectStatus": project.get("status"),
        "teamId": bid["team_id"],
        "teamName": team.get("name"),
        "authorId": bid["author_id"],
        "amount": bid["amount"],
        "message": bid["message"],
        "state": bid["state"],
    }
