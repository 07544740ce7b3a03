import { closeSync, openSync, readSync, statSync } from 'node:fs';

const tailBytes = 8_192;

/** Empties the log, which is kept for one run of the stack. */
export const truncateLog = (file: string): void => closeSync(openSync(file, 'w', 0o600));

/** The last `lines` lines of a log; reads the end of the file only. */
export const readLogTail = (file: string, lines = 15): string => {
  const { size } = statSync(file);
  const start = Math.max(0, size - tailBytes);
  const buffer = Buffer.alloc(size - start);
  const handle = openSync(file, 'r');
  try {
    const read = readSync(handle, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, read).trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(handle);
  }
};
