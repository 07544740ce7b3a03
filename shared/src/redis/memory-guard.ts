/** While Redis uses a larger share of its memory, it stores no codes for anonymous clients. */
export const FULL_SHARE = 0.75;

/**
 * The beginning of a script that stores something for anonymous clients. It fails while more than this share
 * of the memory is used, so that the rest stays free for the mail queue and for signed-in users.
 */
export const requireFreeMemory = (usedShare: number): string => `
  local memory = redis.call('INFO', 'memory')
  local limit = tonumber(string.match(memory, '%smaxmemory:(%d+)') or '0')
  if limit > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > ${usedShare} * limit then
    return redis.error_reply('OOM the rest of the memory is reserved')
  end`;
