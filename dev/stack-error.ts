/** A failure the person at the console can act on: its message is shown alone, without a stack trace. */
export class StackError extends Error {
  override name = 'StackError';
}

/** What `node:fs` and `node:child_process` put in `code`, e.g. `ENOENT`; undefined for anything else. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
