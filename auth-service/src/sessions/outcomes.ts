import { AppError } from '@platform/shared/errors/app-error';

/** The outcomes of a metric by error code. */
export type Outcomes = Readonly<Record<string, string>>;

/** Any other error is an internal error or an overload, which counts as `error`. */
export const toOutcome = (error: unknown, failures: Outcomes): string =>
  (error instanceof AppError && failures[error.code]) || 'error';

/** Every value that the label of the outcome can have. */
export const listOutcomes = (success: string, failures: Outcomes): string[] => [
  ...new Set([success, ...Object.values(failures), 'error']),
];
