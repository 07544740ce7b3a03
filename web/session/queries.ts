import { isPlatformError } from '@platform/client';
import { MutationCache, notifyManager, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { pageState } from '../page/page-state.ts';
import { noticeEnrolment } from './enrolment-due.ts';
import { isLostAnswer, NotDoneError } from './lost-answers.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Data that others change are loaded again this often while the page is visible. */
      pollMilliseconds?: number;
    };
    mutationMeta: {
      /** The queries that the write changes. They have loaded again before `onSuccess`, unless the write `leaves`. */
      invalidates?: readonly QueryKey[];
      /** `onSuccess` leaves the page, which must not show what the write has made of it: the queries load again afterwards. */
      leaves?: true;
      /** The open question while its answer is lost: "whether Ada Lovelace is blocked". */
      whether?: string;
    };
  }
}

// Renders before the next click or key, so that a busy button is not pressed twice. The default is a timer.
notifyManager.setScheduler(queueMicrotask);

/** No service has responded: what could not be loaded is loaded again every few seconds. */
const isUnavailable = (error: unknown): boolean =>
  isPlatformError(error) && (error.status === 0 || error.status >= 502);

/** Whether the request may succeed a second later. A timeout is none: the person has waited long enough to be told. */
const isBlip = (error: unknown): boolean =>
  isPlatformError(error) && (error.status === 503 || error.cause instanceof TypeError);

/**
 * Data is shown at once and loaded again when a screen is opened or the window is focused. The client refreshes
 * the session itself, so other errors are not repeated.
 */
export const createQueryClient = (): QueryClient => {
  // Spread, because an outage ends for all open pages at once.
  const recoveryMilliseconds = 4_000 + Math.random() * 4_000;
  const reload = async (keys: readonly QueryKey[] = []): Promise<void> => {
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noticeEnrolment(queries, error) }),
    mutationCache: new MutationCache({
      onMutate: () => pageState.set({ hasOutlived: false }),
      onSuccess: async (_data, _variables, _context, { meta }) => {
        if (!meta?.leaves) await reload(meta?.invalidates);
      },
      onSettled: async (_data, error, _variables, _context, { meta }) => {
        if (meta?.leaves && error === null) await reload(meta.invalidates);
      },
      // The page then shows whether the write was carried out.
      onError: (error, _variables, _context, { meta }) => {
        if (isLostAnswer(error) || error instanceof NotDoneError) void reload(meta?.invalidates);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A screen that is opened again without a connection shows what was loaded before.
        gcTime: 3_600_000,
        retry: (failures, error) => failures === 0 && isBlip(error),
        // Once the platform responds, the page shows it. A hidden page loads again when it is shown.
        refetchInterval: ({ state, meta }) =>
          isUnavailable(state.error) ? recoveryMilliseconds : (meta?.pollMilliseconds ?? false),
        // The gateway may be reachable although the browser believes to be offline, on this machine at least.
        networkMode: 'always',
        throwOnError: false,
      },
      // A sent value, such as a password, is kept no longer than its form.
      mutations: { networkMode: 'always', gcTime: 1_000 },
    },
  });
  return queries;
};
