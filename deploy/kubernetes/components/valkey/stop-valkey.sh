# Runs before the pod stops. A primary hands over to a replica, which takes one or two seconds; otherwise the
# Sentinels would notice its loss only after three. It keeps running until another replica follows the new
# primary, because the new primary rejects writes without one.
get_role() { timeout 2 valkey-cli ROLE | head -n 1; }
has_replicas() {
  primary=$(timeout 2 valkey-cli ROLE | sed -n 2p)
  [ "$(timeout 2 valkey-cli -h "$primary" INFO replication | grep -c state=online)" -ge 2 ]
}
[ "$(get_role)" = master ] || exit 0
for ordinal in 0 1 2; do
  reply=$(timeout 2 valkey-cli -h "valkey-sentinel-$ordinal.valkey-sentinel" -p 26379 SENTINEL FAILOVER marketplace 2>&1)
  [ "$reply" = OK ] && break
done
end=$(($(date +%s) + 25))
while [ "$(date +%s)" -lt "$end" ]; do
  [ "$(get_role)" = slave ] && has_replicas && exit 0
  sleep 0.5
done
