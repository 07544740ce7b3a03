# Starts as the primary or as a replica, depending on the Sentinels. Without a majority of them it waits,
# because a pod that starts as a primary by itself would replace newer data of the others.
set -eu
self="$POD_NAME.valkey"
primary=
until [ -n "$primary" ]; do
  primary=$(sh /etc/valkey/find-primary.sh)
  [ -n "$primary" ] || { echo 'Waiting for two Sentinels that agree on the primary.'; sleep 1; }
done
umask 077
{
  cat /etc/valkey/valkey.conf
  echo "replica-announce-ip $self"
  echo "requirepass $VALKEY_ADMIN_PASSWORD"
  echo "masterauth $VALKEY_ADMIN_PASSWORD"
  echo "user platform on >$VALKEY_PLATFORM_PASSWORD ~* &* +@all -@admin -@dangerous +info"
  [ "$primary" = "$self" ] || echo "replicaof $primary 6379"
} > /run/valkey/valkey.conf
echo "Starting $self; the primary is $primary."
exec valkey-server /run/valkey/valkey.conf
