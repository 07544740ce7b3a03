/**
 * For scripts that store something for anonymous clients: they fail while Redis is nearly full, so that the rest of its memory
 * stays free for the mail queue and for signed-in users. To be followed by the rest of a script.
 */
export const REQUIRE_HEADROOM = `
  local memory = redis.call('INFO', 'memory')
  local limit = tonumber(string.match(memory, '%smaxmemory:(%d+)') or '0')
  if limit > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > 0.75 * limit then
    return redis.error_reply('OOM the rest of the memory is reserved')
  end`;
