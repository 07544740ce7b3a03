#!/bin/sh
# Keeps dumps of the database that PGHOST, PGUSER and PGDATABASE name, with the password in PGPASSWORD_FILE:
#   sh deploy/backup.sh <folder>            dumps whenever the newest dump is older than BACKUP_INTERVAL_HOURS
#   sh deploy/backup.sh <folder> --check    fails if the newest dump is more than an hour too old
set -eu
umask 077
folder=$1
interval_minutes=$((${BACKUP_INTERVAL_HOURS:-24} * 60))
retention_minutes=$((${BACKUP_RETENTION_DAYS:-7} * 24 * 60))

# <minutes>: whether a dump is younger than this.
has_dump() {
  [ -d "$folder" ] && [ -n "$(find "$folder" -name '*.dump' -mmin "-$1")" ]
}

log() {
  echo "$(date -u +%FT%TZ) $1"
}

# A dump gets its name when it is complete and readable. Only then are old dumps deleted, so that failures
# never leave none.
dump() {
  file=$folder/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump
  rm -f "$folder"/*.partial
  pg_dump --format=custom --file="$file.partial" &&
    pg_restore --list "$file.partial" >/dev/null &&
    sync "$file.partial" &&
    mv "$file.partial" "$file" &&
    find "$folder" -name '*.dump' -mmin "+$retention_minutes" -delete &&
    log "dumped $file ($(wc -c <"$file") bytes)"
}

if [ "${2:-}" = --check ]; then
  has_dump $((interval_minutes + 60)) && exit
  echo "no dump of the last ${BACKUP_INTERVAL_HOURS:-24} hours in $folder"
  exit 1
fi

mkdir -p "$folder"
PGPASSWORD=$(cat "$PGPASSWORD_FILE")
export PGPASSWORD
while :; do
  has_dump "$interval_minutes" || dump || log 'the dump failed; next try in a minute'
  sleep 60
done
