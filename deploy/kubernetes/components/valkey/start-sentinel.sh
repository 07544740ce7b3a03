# Keeps the state that the Sentinel has learned (the primary, its epoch, the others), and writes the settings
# again at each start.
set -eu
state=/data/sentinel.conf
learned=$(grep -E '^sentinel (myid|monitor|config-epoch|leader-epoch|current-epoch|known-replica|known-slave|known-sentinel) ' "$state" 2>/dev/null || true)
case $learned in
  *'sentinel monitor '*) ;;
  *) learned='sentinel monitor marketplace valkey-0.valkey 6379 2' ;;
esac
primary=$(echo "$learned" | sed -n 's/^sentinel monitor [^ ]* \([^ ]*\) .*/\1/p')
# A Sentinel exits if it cannot resolve the primary.
until getent hosts "$primary" > /dev/null; do
  echo "Waiting for the address of $primary."
  sleep 1
done
umask 077
cat > "$state.new" <<END
port 26379
dir /data
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $POD_NAME.valkey-sentinel
sentinel announce-port 26379
requirepass $VALKEY_ADMIN_PASSWORD
sentinel sentinel-pass $VALKEY_ADMIN_PASSWORD
user platform on >$VALKEY_PLATFORM_PASSWORD &* -@all +@connection +@pubsub -@admin -@dangerous +info +role +sentinel|get-master-addr-by-name +sentinel|sentinels +sentinel|replicas +sentinel|slaves +sentinel|master
$learned
sentinel auth-pass marketplace $VALKEY_ADMIN_PASSWORD
sentinel down-after-milliseconds marketplace 3000
sentinel failover-timeout marketplace 30000
sentinel parallel-syncs marketplace 1
END
mv "$state.new" "$state"
exec valkey-server "$state" --sentinel
