import { isPlatformError } from '@platform/client';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';

/** Kept with what else is known of the person, and forgotten with it. */
const KEY = ['enrolment-due'];

/** Each call but a few is rejected until the person has a second factor (`SECOND_FACTOR_REQUIRED_FOR`). */
export const noticeEnrolment = (queries: QueryClient, error: unknown): void => {
  if (isPlatformError(error, 'SECOND_FACTOR_ENROLMENT_REQUIRED')) queries.setQueryData(KEY, true);
};

export const useIsEnrolmentDue = (): boolean =>
  useQuery<boolean>({ queryKey: KEY, queryFn: skipToken }).data === true;
