# Prints the name of the primary if two of the three Sentinels agree on it. A Sentinel that was cut off may
# name a former primary.
for ordinal in 0 1 2; do
  timeout 2 valkey-cli -h "valkey-sentinel-$ordinal.valkey-sentinel" -p 26379 \
    SENTINEL get-master-addr-by-name marketplace 2>&1 | grep -E '^valkey-[0-9]+\.valkey$' || true
done | sort | uniq -c | sed -n 's/^ *[23] //p'
