import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces `file` by `content` as a whole, readable by its owner only: after a crash it is the old one or the new. */
export const writeFileAtomically = (file: string, content: string): void => {
  const temporary = `${file}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
};
