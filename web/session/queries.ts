import { isPlatformError } from '@platform/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { noticeEnrolment } from './enrolment.ts';
import type { AnyClient } from './platform.ts';

const MAX_RETRIES = 2;

/** Without a response, or unavailable: the same request may succeed a moment later. */
const isTransient = (error: unknown): boolean =>
  isPlatformError(error) && (error.status === 0 || error.status === 503);

/**
 * Data is shown at once and loaded again when a screen is opened or the window is focused. The client refreshes
 * the session itself, so other errors are not repeated.
 */
export const createQueryClient = (client: Pick<AnyClient, 'on'>): QueryClient => {
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnrolment }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A screen that is opened again without a connection shows what was loaded before.
        gcTime: 3_600_000,
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        // The gateway may be reachable although the browser believes to be offline, on this machine at least.
        networkMode: 'always',
        throwOnError: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
  // What could not be loaded without a session is loaded when the person has signed in again, in any tab.
  client.on('signed-in', () => void queries.invalidateQueries());
  return queries;
};
