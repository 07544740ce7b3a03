import { createStore } from './store.ts';

const id = createStore<string | undefined>(undefined);

/** The id of the latest request if it failed at the platform, for the support of a page that breaks after it. */
export const useFailedRequest = id.use;

export const noteResponse = ({ status, headers }: Response): void =>
  id.set(status >= 500 ? (headers.get('X-Request-Id') ?? undefined) : undefined);
