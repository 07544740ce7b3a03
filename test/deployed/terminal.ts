import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Whether a person can type at the terminal. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

type AskOptions = {
  /** Whether the terminal hides the typed text, such as a password. */
  isHidden?: boolean;
  signal?: AbortSignal;
};

/** Asks on standard error, because the checks print to standard output, which can be redirected. */
export const ask = async (
  question: string,
  { isHidden = false, signal }: AskOptions = {},
): Promise<string> => {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({
    input: process.stdin,
    output: isHidden ? hidden : process.stderr,
    terminal: true,
  });
  // The terminal is in raw mode, in which Ctrl-C sends no signal.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  if (isHidden) process.stderr.write(question);
  try {
    return (await terminal.question(isHidden ? '' : question, signal ? { signal } : {})).trim();
  } finally {
    terminal.close();
    if (isHidden) process.stderr.write('\n');
  }
};
