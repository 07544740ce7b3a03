import { pageState } from './page-state.ts';

/** The id of the latest request if it failed at the platform, for the support of a page that breaks after it. */
export const useFailedRequest = (): string | undefined => pageState.use(({ failedRequest }) => failedRequest);

/** @param response undefined if there was none */
export const noteResponse = (response?: Response): void =>
  pageState.set({
    failedRequest: (response && response.status >= 500 && response.headers.get('X-Request-Id')) || undefined,
  });
