import { isPlatformError } from '@platform/client';
import type { QueryClient } from '@tanstack/react-query';

/** Kept with what else is known of the person, and forgotten with it. */
export const ENROLMENT_DUE = ['enrolment-due'];

/** Each call but a few is rejected until the person has a second factor (`SECOND_FACTOR_REQUIRED_FOR`). */
export const noticeEnrolment = (queries: QueryClient, error: unknown): void => {
  if (isPlatformError(error, 'SECOND_FACTOR_ENROLMENT_REQUIRED')) queries.setQueryData(ENROLMENT_DUE, true);
};
