#!/bin/sh
# Creates the secret files that docker-compose.yml mounts: sh deploy/create-secrets.sh
# Keeps existing files.
set -eu
umask 077
cd "$(dirname "$0")/.."
directory=secrets
created=0
kept=0

fail() {
  echo "create-secrets: $1" >&2
  exit 1
}

# <bytes>: random bytes as hexadecimal digits, which need no encoding in a URL.
random() {
  digits=$(od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n')
  [ ${#digits} -eq $(($1 * 2)) ] || fail 'cannot read /dev/urandom'
  echo "$digits"
}

# <file> <value>: creates the file. Containers run as other users than the owner of the files, and Compose
# mounts the files with their mode. So everybody may read them, and the mode of the directory protects them.
write() {
  path=$directory/$1
  if [ -e "$path" ]; then
    kept=$((kept + 1))
  else
    # A temporary file, so that a full disk leaves no incomplete secret. `printf` is a shell builtin, so no
    # process list shows the value.
    if [ -n "$2" ]; then printf '%s\n' "$2"; fi >"$path.new"
    mv "$path.new" "$path"
    created=$((created + 1))
  fi
  chmod 644 "$path"
}

mkdir -p "$directory"
chmod 700 "$directory"

for kind in customer employee admin; do
  for use in access refresh; do
    key=$(random 32)
    write "jwt_${kind}_${use}_secret_key" "$key"
    write "jwt_${kind}_${use}_secret_key_previous" ''
  done
done
for name in code_secret_key second_factor_key bot_check_key; do
  key=$(random 32)
  write "$name" "$key"
  write "${name}_previous" ''
done

for name in postgres valkey grafana_admin probe probe_operator; do
  password=$(random 24)
  write "${name}_password" "$password"
done
password=$(cat "$directory/postgres_password")
write owner_database_url "postgres://platform:$password@postgres:5432/platform"
for login in auth:auth_service admin:admin_service worker:mailer_worker; do
  password=$(random 24)
  write "${login%%:*}_database_url" "postgres://${login#*:}:$password@postgres:5432/platform"
done
password=$(cat "$directory/valkey_password")
write redis_url "redis://:$password@valkey:6379"
# Mailpit, which captures all mails.
write smtp_url smtp://mailpit:1025
write queue_redis_url ''
write database_read_url ''

echo "$directory/: $created files created, $kept kept."
