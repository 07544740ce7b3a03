import { AsyncLocalStorage } from 'node:async_hooks';
import type { Mutation, Query, QueryClient } from '@tanstack/react-query';

/** A query or a run of a mutation, and the collections of the contract that it reads or writes, such as `users`. */
type Caller = { isQuery: boolean; collections: Set<string> };

const running = new AsyncLocalStorage<Caller>();
const callers = new WeakMap<Query, Caller>();
const watched = new WeakSet<QueryClient>();
const problems: string[] = [];

const OWN_ACCOUNT = 'own account';

/** Requests without a GET that change nothing that a page shows. */
const CHANGES_NOTHING = [
  // The session is not a query.
  /\/(?:sign-in|sign-up|sign-out|refresh)\b/,
  // Begins what another request completes.
  /^POST .*\/(?:options|authorize|totp|send)$/,
  // Proves who the person is, for the write that follows.
  /\/proof$/,
  // The mail is listed once the worker has taken it.
  /\/(?:reset|verification)-mail$/,
];

const toCollection = (path: string): string =>
  path.includes('/auth/')
    ? OWN_ACCOUNT
    : (/^\/api\/v1\/(?:administrator\/)?(?:deleted-)?([\w-]+)/.exec(path)?.[1] ?? path);

/** Called by contract.ts for each request. */
export const noteRequest = ({ method, path }: { method: string; path: string }): void => {
  const caller = running.getStore();
  const isRead = method === 'GET';
  // A query may renew the session first, and a mutation may read.
  if (caller?.isQuery !== isRead) return;
  if (CHANGES_NOTHING.some((pattern) => pattern.test(`${method} ${path}`))) return;
  caller.collections.add(toCollection(path));
  // The platform records what is done in the console.
  if (!isRead && !path.includes('/auth/')) caller.collections.add('audit-log');
};

const countLoads = ({ state }: Query): number => state.dataUpdateCount + state.errorUpdateCount;

const checkReloads = (loads: Map<Query, number>, { meta }: Mutation, written: Set<string>): void => {
  for (const [query, before] of loads) {
    const isReloaded = query.state.fetchStatus === 'fetching' || countLoads(query) > before;
    const isConcerned = [...written].some((name) => callers.get(query)?.collections.has(name));
    if (query.isActive() && isConcerned && !isReloaded)
      problems.push(
        `A write has changed ${[...written].join(', ')}, and ${JSON.stringify(query.queryKey)} was not loaded again: meta.invalidates is ${JSON.stringify(meta?.invalidates)}`,
      );
  }
};

const watchMutation = (queries: QueryClient, mutation: Mutation): void => {
  const execute = mutation.execute.bind(mutation);
  mutation.execute = async (variables) => {
    const caller = { isQuery: false, collections: new Set<string>() };
    const all = queries.getQueryCache().getAll();
    const loads = new Map(all.map((query) => [query, countLoads(query)]));
    const result = await running.run(caller, () => execute(variables));
    checkReloads(loads, mutation, caller.collections);
    return result;
  };
};

const watchQuery = (query: Query): void => {
  const caller = { isQuery: true, collections: new Set<string>() };
  callers.set(query, caller);
  const load = query.fetch.bind(query);
  query.fetch = (...options) => running.run(caller, () => load(...options));
};

/** After each successful mutation, the queries on the page that read what it has written must have been sent again. */
export const watchReloads = (queries: QueryClient): void => {
  if (watched.has(queries)) return;
  watched.add(queries);
  queries.getQueryCache().subscribe(({ type, query }) => type === 'added' && watchQuery(query));
  queries
    .getMutationCache()
    .subscribe(({ type, mutation }) => type === 'added' && mutation && watchMutation(queries, mutation));
};

/** Called after each test. */
export const takeReloadProblems = (): string[] => problems.splice(0);
