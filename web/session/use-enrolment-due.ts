import { skipToken, useQuery } from '@tanstack/react-query';
import { ENROLMENT_DUE } from './enrolment-due.ts';

// In another file than `noticeEnrolment`, because a page that signs in needs no query.
export const useIsEnrolmentDue = (): boolean =>
  useQuery<boolean>({ queryKey: ENROLMENT_DUE, queryFn: skipToken }).data === true;
