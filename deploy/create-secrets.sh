#!/bin/sh
# Creates the secret files that docker-compose.yml mounts: sh deploy/create-secrets.sh
# Keeps existing files. Takes over values from .env, where earlier releases kept them.
set -eu
umask 077
cd "$(dirname "$0")/.."
directory=secrets
created=0
kept=0
found=

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

# <variable>: its value in .env, as Compose reads it; fails for a value with substitutions.
read_env() {
  [ -e .env ] || return 0
  [ -r .env ] || fail '.env is not readable'
  line=$(sed -n "s/^[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$1[[:space:]]*=[[:space:]]*//p" .env |
    tail -n 1 | tr -d '\r')
  case $line in
    \'*) line=${line#\'} && line=${line%%\'*} && printf '%s\n' "$line" && return ;;
    \"*) line=${line#\"} && line=${line%%\"*} ;;
    \#*) line= ;;
    *) line=$(printf '%s\n' "${line%%[[:space:]]#*}" | sed 's/[[:space:]]*$//') ;;
  esac
  case $line in *[\$\\]*) fail "$1 in .env contains \$ or \\: write its value to a file in $directory/ yourself" ;; esac
  printf '%s\n' "$line"
}

# <file> <value>: creates the file. Containers run as other users than the owner of the files, and Compose mounts them with
# their mode: so everyone may read them, and the mode of the directory protects them.
write() {
  path=$directory/$1
  if [ -e "$path" ]; then
    kept=$((kept + 1))
  else
    # Not half a file when the disk is full. The shell itself prints, so that no process list shows the value.
    if [ -n "$2" ]; then printf '%s\n' "$2"; fi >"$path.new"
    mv "$path.new" "$path"
    created=$((created + 1))
  fi
  chmod 644 "$path"
}

# <variable> <value> [file]: the file has the value from .env or, without it, the given one.
take_over() {
  value=$(read_env "$1")
  [ -z "$value" ] || found="$found $1"
  write "${3:-$(echo "$1" | tr '[:upper:]' '[:lower:]')}" "${value:-$2}"
}

# <file> <password> <URL with the password>: a password that was taken over may need encoding.
write_url() {
  case $2 in *[!A-Za-z0-9._~-]*)
    [ -e "$directory/$1" ] || fail "its password needs encoding in a URL: write $directory/$1 yourself" ;;
  esac
  write "$1" "$3"
}

mkdir -p "$directory"
chmod 700 "$directory"

for kind in CUSTOMER EMPLOYEE ADMIN; do
  for use in ACCESS REFRESH; do
    key=$(random 32)
    take_over "JWT_${kind}_${use}_SECRET_KEY" "$key"
    take_over "JWT_${kind}_${use}_SECRET_KEY_PREVIOUS" ''
  done
done
key=$(random 32)
take_over CODE_SECRET_KEY "$key"
take_over CODE_SECRET_KEY_PREVIOUS ''
key=$(random 32)
take_over SECOND_FACTOR_KEY "$key"
take_over SECOND_FACTOR_KEY_PREVIOUS ''

for variable in POSTGRES_PASSWORD VALKEY_PASSWORD GRAFANA_ADMIN_PASSWORD PROBE_PASSWORD PROBE_OPERATOR_PASSWORD; do
  password=$(random 24)
  take_over "$variable" "$password"
done
password=$(cat "$directory/postgres_password")
write_url owner_database_url "$password" "postgres://platform:$password@postgres:5432/platform"
for login in auth:auth_service admin:admin_service worker:mailer_worker; do
  process=${login%%:*}
  variable=$(echo "$process" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD
  password=$(read_env "$variable")
  [ -z "$password" ] || found="$found $variable"
  [ -n "$password" ] || password=$(random 24)
  write_url "${process}_database_url" "$password" "postgres://${login#*:}:$password@postgres:5432/platform"
done
password=$(cat "$directory/valkey_password")
write_url redis_url "$password" "redis://:$password@valkey:6379"
# Mailpit, which captures all mails.
take_over SMTP_URL smtp://mailpit:1025
take_over QUEUE_REDIS_URL ''
take_over DATABASE_READ_URL ''

echo "$directory/: $created files created, $kept kept."
[ -z "$found" ] || echo "No container reads these variables of .env now; remove them there:$found"
