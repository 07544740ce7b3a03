import { createStore } from './store.ts';

const id = createStore<string | undefined>(undefined);

/** The id of the latest request if it failed at the platform, for the support of a page that breaks after it. */
export const useFailedRequest = id.use;

/** @param response undefined if there was none */
export const noteResponse = (response?: Response): void =>
  id.set((response && response.status >= 500 && response.headers.get('X-Request-Id')) || undefined);
