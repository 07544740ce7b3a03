import type { Statement } from '@platform/shared/db/database';
import { validationFailed } from '@platform/shared/errors/app-error';

export type IdPageQuery = { cursor?: string | undefined; limit?: number | undefined };
export type IdPage<Item> = { data: Item[]; nextCursor: string | null };

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export const rejectQuery = (name: string, message: string, rule: string) =>
  validationFailed('The request breaks the contract', [{ path: `/query/${name}`, message, rule }]);

/** @throws AppError 400 if the parameter is combined with others */
export const requireAlone = (name: string, others: Readonly<Record<string, unknown>>): void => {
  const combined = Object.keys(others).filter((other) => others[other] !== undefined);
  if (combined.length > 0)
    throw rejectQuery(name, `must not be combined with ${combined.join(', ')}`, 'alone');
};

const toCursor = (list: string, id: string): string => Buffer.from(`${list} ${id}`).toString('base64url');

/** @throws AppError 400 */
const parseCursor = (list: string, cursor: string): string => {
  const [name, id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (name !== list || !UUID.test(id))
    throw rejectQuery('cursor', 'must be a `nextCursor` of this list', 'cursor');
  return id;
};

/** A list for other services, in the order of the ids, so that a page costs the same at every cursor. */
export type IdList = {
  name: string;
  from: string;
  id: string;
  /** How many bytes a row takes in a response, roughly. `octet_length` does not read a long text. */
  bytes: string;
  /** The condition of each filter; `?` is its value. */
  filters: Readonly<Record<string, string>>;
  /**
   * The statement of the rows. `keys` is a subquery with the columns `id` and `found`, which a row returns, too. It must
   * look up each row with `limit 1`: a plan for any limit expects so many keys that it would join the whole table.
   */
  toRows: (keys: string) => string;
};

const DEFAULT_LIMIT = 100;
/** Long texts make a page shorter, so that no response delays the others. */
const MAX_BYTES = 1_000_000;
/** Before all ids: no record has the nil UUID. */
const NIL = '00000000-0000-0000-0000-000000000000';

const toText = ({ name, from, id, bytes, filters, toRows }: IdList, given: readonly string[]) => {
  const conditions = given.map((filter, index) => `and ${filters[filter]?.replace('?', `$${index + 3}`)}`);
  return {
    name: ['page-of', name, ...given].join('-'),
    text: toRows(`
      select id, found from (
        select id, count(*) over () as found, sum(bytes) over (order by id) - bytes as bytes_before
        from (
          select ${id} as id, ${bytes} as bytes from ${from}
          where ${id} > $1 ${conditions.join(' ')} order by ${id} limit $2
        ) rows
      ) sized where bytes_before < ${MAX_BYTES}`),
  };
};

/** Reads one row more than the limit, to know whether there is a next page. @throws AppError 400 */
export const toIdPageStatement = <Query extends IdPageQuery>(list: IdList, query: Query): Statement => {
  const { cursor, limit = DEFAULT_LIMIT, ...filter } = query;
  const values = filter as Record<string, unknown>;
  const given = Object.keys(list.filters).filter((name) => values[name] !== undefined);
  const after = cursor === undefined ? NIL : parseCursor(list.name, cursor);
  return { ...toText(list, given), values: [after, limit + 1, ...given.map((name) => values[name])] };
};

export const toIdPage = <Item extends { id: string }>(
  list: IdList,
  { limit = DEFAULT_LIMIT }: IdPageQuery,
  rows: readonly (Item & { found: string })[],
): IdPage<Item> => {
  const data = rows.slice(0, limit).map(({ found: _found, ...item }) => item as unknown as Item);
  const last = Number(rows[0]?.found ?? 0) > data.length ? data.at(-1) : undefined;
  return { data, nextCursor: last ? toCursor(list.name, last.id) : null };
};
