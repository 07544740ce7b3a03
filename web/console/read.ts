import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { backOffice } from './back-office.ts';
import { present } from './query-fields.ts';

type Path = Parameters<typeof backOffice.GET>[0];
export type ResponseOf<P extends Path> = Awaited<ReturnType<typeof backOffice.GET<P>>>;

type ParamsOf<P extends Path> =
  Parameters<typeof backOffice.GET<P>> extends [unknown, ({ params?: infer Params } | undefined)?]
    ? NonNullable<Params>
    : never;
type OrUndefined<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };
/** A query parameter that is undefined is not sent. */
type LooseParams<P extends Path> = {
  [Part in keyof ParamsOf<P>]: Part extends 'query' ? QueryOf<P> : ParamsOf<P>[Part];
};
export type QueryOf<P extends Path> =
  ParamsOf<P> extends { query?: infer Query } ? OrUndefined<NonNullable<Query>> : never;

/** Sends one GET of the back office. */
export const get = <P extends Path>(path: P, params: LooseParams<P>, signal?: AbortSignal) => {
  const { query = {}, ...others }: { query?: object } = params;
  return backOffice.GET(path, ...([{ params: { ...others, query: present(query) }, signal }] as never));
};

/** The options of a query that sends this GET. */
export const read = <P extends Path>(queryKey: QueryKey, path: P, params: LooseParams<P>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => get(path, params, signal) });

/** As `read`, for one page of a list, which stays on the screen while the next one is loaded. */
export const readPage = <P extends Path>(...call: Parameters<typeof read<P>>) => ({
  ...read<P>(...call),
  placeholderData: keepPreviousData,
});
