/** An error that the user can fix: the console shows its message without a stack trace. */
export class StackError extends Error {
  override name = 'StackError';
}

/**
 * The `code` of an error of `node:fs` or `node:child_process`, such as `ENOENT`; undefined for other errors.
 */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const toErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
