"""HTTP: finds the caller of a request, calls a rule, and writes its result or error."""

import contextlib
import json
import re
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from .bids import Rejected, accept_bid, create_bid, list_bids
from .database import connect
from .platform import PlatformError

FORWARDED = (400, 404, 409, 412)  # errors of the platform that concern the request of the caller


def find_caller(platform, headers, kinds):
    """Never stored: a block, a sign-out or a removed role must take effect at the next request."""
    token = re.fullmatch(r"Bearer (\S+)", headers.get("Authorization", ""), re.IGNORECASE)
    caller = platform.introspect(token[1], headers.get("X-Fingerprint")) if token else {"active": False}
    if not caller["active"]:
        raise Rejected(401, "TOKEN_INVALID")
    if caller["kind"] not in kinds:
        raise Rejected(403, "KIND_NOT_ALLOWED")
    return caller


def respond(platform, connection, method, target, headers, text):
    url = urlsplit(target)
    accepted = re.fullmatch("/api/v1/bids/([^/]+)/accept", url.path)
    if method == "POST" and url.path == "/api/v1/bids":
        caller = find_caller(platform, headers, ["employee"])
        return create_bid(platform, connection, caller, read_object(text))
    if method == "GET" and url.path == "/api/v1/bids":
        caller = find_caller(platform, headers, ["customer", "employee"])
        return list_bids(platform, connection, caller, dict(parse_qsl(url.query)))
    if method == "POST" and accepted:
        caller = find_caller(platform, headers, ["customer"])
        return accept_bid(platform, connection, caller, accepted[1])
    raise Rejected(404, "ROUTE_NOT_FOUND")


def read_object(text):
    try:
        body = json.loads(text)
        json.dumps(body, ensure_ascii=False).encode()  # fails with half of a surrogate pair
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Rejected(400, "BODY_INVALID")
    return body


def create_server(port, platform, database_file):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 65  # longer than the gateway keeps an idle connection

        def handle_request(self):
            # Read it in any case, or the next request on this connection would begin in the middle of it.
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            try:
                with contextlib.closing(connect(database_file)) as connection:
                    body = respond(platform, connection, self.command, self.path, self.headers, text)
                self.send(200, body)
            except Rejected as error:
                self.send_error_body(error.status, error.code)
            except PlatformError as error:
                if error.status in FORWARDED:
                    self.send_error_body(error.status, error.code, error.details)
                else:
                    self.log_exception()
                    self.send_error_body(503, "SERVICE_UNAVAILABLE")
            except Exception:
                self.log_exception()
                self.send_error_body(500, "REQUEST_FAILED")

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

        def send_error_body(self, status, code, details=None):
            self.send(status, {"code": code, "message": code, **({"details": details} if details else {})})

        def send(self, status, body):
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if status == 503:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(content)

        def log_exception(self):
            print(self.headers.get("X-Request-Id"), traceback.format_exc(), file=sys.stderr, flush=True)

        def log_message(self, *_):
            """No access log: the gateway has one."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    return Server(("0.0.0.0", port), Handler)
