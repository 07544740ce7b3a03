"""Starts the service. The defaults are those of a platform that `npm start` runs on this machine."""

import os
import signal
import threading
import traceback
from pathlib import Path

from bids_service.database import create_tables
from bids_service.event_reader import read_events
from bids_service.platform import Platform
from bids_service.server import create_server

FOLDER = Path(__file__).parent
port = int(os.environ.get("PORT", "4001"))
database_file = os.environ.get("DATABASE", str(FOLDER / "bids.db"))
platform = Platform(
    os.environ.get("AUTH_URL", "http://127.0.0.1:3001"),
    os.environ.get("ADMIN_URL", "http://127.0.0.1:3002"),
    "bids",
    os.environ.get("SECRET_FILE", str(FOLDER / "local-secret")),
    seconds=3,  # a request makes at most three calls, and the gateway waits for 10 s
)


def read_events_or_exit():
    try:
        read_events(platform, database_file)
    except Exception:  # such as a missing scope: whatever has started this process restarts it
        traceback.print_exc()
        os._exit(1)


create_tables(database_file)
server = create_server(port, platform, database_file)
signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
threading.Thread(target=read_events_or_exit, daemon=True).start()
print(f"bids-service listens on port {port}", flush=True)
server.serve_forever()
