import { isPlatformError } from '@platform/client';
import type { QueryClient } from '@tanstack/react-query';

/** The fact is kept among the queries, so that it is deleted with the other data of the person. */
export const ENROLMENT_DUE = ['enrolment-due'];

/**
 * Remembers that the platform rejects most calls until the person has a second factor
 * (`SECOND_FACTOR_REQUIRED_FOR`).
 */
export const noticeEnrolment = (queries: QueryClient, error: unknown): void => {
  if (isPlatformError(error, 'SECOND_FACTOR_ENROLMENT_REQUIRED')) queries.setQueryData(ENROLMENT_DUE, true);
};
