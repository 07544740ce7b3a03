"""Calls the operations of the platform, with the standard library alone. Copy it into your service."""

import base64
import http.client
import json
import random
import time
from math import inf
from urllib.parse import quote, urlencode, urlsplit

NO_RESPONSE = 0
TEMPORARY = (NO_RESPONSE, 429, 502, 503, 504)
WAIT_SECONDS = 25  # the longest that the platform waits for an event
MAX_IDS = 100


class PlatformError(Exception):
    """The error response. openapi/internal.yaml has the codes."""

    def __init__(self, status, body, retry_after=None):
        super().__init__(f"{status} {body}")
        self.status, self.code, self.details = status, body.get("code"), body.get("details")
        self.retry_after = int(retry_after or 0)
        self.is_temporary = status in TEMPORARY


class Platform:
    """`seconds` is the time budget of a call with its retries. The gateway waits 10 s for a response."""

    def __init__(self, auth_url, admin_url, name, secret_file, seconds=4):
        self.auth_url, self.admin_url, self.name, self.seconds = auth_url, admin_url, name, seconds
        self.secret_file = secret_file
        self.secret = self._read_secret()

    def introspect(self, token, fingerprint=None):
        """Tells whose access token it is now: ask at every request, and never keep the result."""
        form = {"token": token, **({"fingerprint": fingerprint} if fingerprint else {})}
        return self._call(self.auth_url, "POST", "/introspect", form=form)

    def get(self, *segments, **query):
        """`get("projects", id)`; one project or team has its version in `etag`."""
        return self._call(self.admin_url, "GET", to_path(segments, query))

    def put(self, *segments, body):
        return self._call(self.admin_url, "PUT", to_path(segments), body=body)

    def patch(self, *segments, body, if_match=None):
        """With `if_match`, 412 if it has changed since. Such a call is not repeated: after a lost response,
        the repetition would get the 412 that it has caused itself."""
        return self._call(self.admin_url, "PATCH", to_path(segments), body=body, if_match=if_match)

    def delete(self, *segments):
        """No member is success: of a repeated request, the first one has removed the member."""
        try:
            self._call(self.admin_url, "DELETE", to_path(segments))
        except PlatformError as error:
            if error.code != "MEMBER_NOT_FOUND":
                raise

    def find(self, name, ids):
        """`find("projects", ids)`: those that exist, also deleted ones."""
        ids = list(dict.fromkeys(ids))
        chunks = [ids[first : first + MAX_IDS] for first in range(0, len(ids), MAX_IDS)]
        return [item for chunk in chunks for item in self.get(name, id=chunk)["data"]]

    def pages(self, name, **query):
        """Yields all pages of a list. A page may be short; only a cursor of null is the end."""
        cursor = {}
        while cursor is not None:
            page = self.get(name, limit=1000, **query, **cursor)
            yield page["data"]
            cursor = {"cursor": page["nextCursor"]} if page["nextCursor"] else None

    def events(self, after=None, **query):
        """Yields pages of events for ever. Store `next` in the transaction of your work."""
        while True:
            position = {"after": after} if after else {}
            path = to_path(["events"], {"wait": WAIT_SECONDS, **query, **position})
            page = self._call(self.admin_url, "GET", path, budget=inf, attempt=WAIT_SECONDS + 10)
            yield page
            after = page["next"]

    def _read_secret(self):
        with open(self.secret_file, encoding="utf-8") as file:
            return file.read().strip()

    def _call(self, origin, method, path, form=None, body=None, if_match=None, budget=None, attempt=None):
        budget = budget or self.seconds
        end = time.monotonic() + budget
        # An instance that hangs must leave time for an attempt on another one.
        longest = attempt or (budget if if_match else budget / 2)
        tries = 0
        while True:
            tries += 1
            secret = self.secret
            try:
                seconds = max(min(longest, end - time.monotonic()), 0.1)
                return self._send(secret, origin, method, path, form, body, if_match, seconds)
            except PlatformError as error:
                if error.status == 401:
                    self.secret = self._read_secret()
                    if self.secret != secret:  # it was changed
                        continue
                delay = (error.retry_after or min(0.1 * 2**tries, 5)) * random.uniform(1, 1.5)
                if if_match or not error.is_temporary or time.monotonic() + delay >= end:
                    raise
                time.sleep(delay)

    def _send(self, secret, origin, method, path, form, body, if_match, seconds):
        credentials = base64.b64encode(f"{self.name}:{secret}".encode()).decode()
        headers = {"Authorization": f"Basic {credentials}", **({"If-Match": if_match} if if_match else {})}
        content = urlencode(form) if form else None if body is None else json.dumps(body)
        if content is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
        url = urlsplit(origin)
        is_https = url.scheme == "https"
        connect = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
        connection = connect(url.netloc, timeout=seconds)
        try:
            connection.request(method, f"/internal/v1{path}", content, headers)
            response = connection.getresponse()
            result = json.loads(response.read() or "{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise PlatformError(NO_RESPONSE, {"message": f"{origin}: {error}"}) from error
        finally:
            connection.close()
        if response.status >= 400:
            raise PlatformError(response.status, result, response.getheader("Retry-After"))
        etag = response.getheader("ETag")
        return {**result, "etag": etag} if etag else result


def to_path(segments, query=None):
    """Ids come from callers, so they are quoted: `../teams/…` must not become another path."""
    path = "".join(f"/{quote(str(segment), safe='')}" for segment in segments)
    return f"{path}?{urlencode(query, doseq=True)}" if query else path
