import { isPlatformError } from '@platform/client';
import { useSyncExternalStore } from 'react';

let isDue = false;
const listeners = new Set<() => void>();

const change = (next: boolean): void => {
  isDue = next;
  for (const listener of listeners) listener();
};

/** Each call but a few is rejected until the person has a second factor (`SECOND_FACTOR_REQUIRED_FOR`). */
export const noticeEnrolment = (error: unknown): void => {
  if (isPlatformError(error, 'SECOND_FACTOR_ENROLMENT_REQUIRED')) change(true);
};

export const endEnrolment = (): void => change(false);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsEnrolmentDue = (): boolean => useSyncExternalStore(subscribe, () => isDue);
