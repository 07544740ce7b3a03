import { randomUUID } from 'node:crypto';
import { bearer } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '../../openapi-operations.ts';
import type { Check, Probe } from '../probe.ts';
import { type AccountState, requireDevice } from './account-state.ts';
import { toPath } from './invalid-requests.ts';

type Parameter = Operation['parameters'][number];
type Query = Record<string, string> | [string, string][];
type Item = Record<string, unknown> & { id: string; createdAt: string };

/** Greater than the number of pages of any list. */
const PAST_THE_END = '1000000';

const queryParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

/** Whether the operation returns pages. */
export const isList = (operation: Operation): boolean =>
  operation.method === 'GET' && queryParameters(operation).some(({ name }) => name === 'perPage');

const isByCursor = (operation: Operation): boolean =>
  queryParameters(operation).some(({ name }) => name === 'cursor');

const getItems = ({ body }: HttpResponse): Item[] => (Array.isArray(body?.data) ? body.data : []);

const createLister = (state: AccountState, probe: Probe, { template }: Operation) => {
  const headers = bearer(requireDevice(state, probe));
  return (query: Query = {}) => probe.call({ path: `${template}?${new URLSearchParams(query)}`, headers });
};

const checkCursor = async (probe: Probe, get: ReturnType<typeof createLister>): Promise<void> => {
  const first = await get({ perPage: '1' });
  probe.expect(first, 200);
  const cursor: string | null = first.body?.nextCursor;
  if (cursor === null) return;
  const second = await get({ perPage: '1', cursor });
  probe.expect(second, 200);
  const [before, after] = [first, second].map((response) => getItems(response)[0]);
  const isNext = before && after && after.id !== before.id && after.createdAt <= before.createdAt;
  probe.check(isNext === true, 'not the record after the first page', second);
};

type Totals = { total: number; totalCapped?: boolean; page: number; perPage: number; totalPages?: number };

const readTotals = ({ body }: HttpResponse): Totals => ({ ...body, ...body?.meta });

/** Pages of one record: there is one on the page `total`, and none on the next, unless the list changes meanwhile. */
const checkTotals = async (
  probe: Probe,
  get: ReturnType<typeof createLister>,
  first: HttpResponse,
): Promise<void> => {
  const { total, totalCapped, perPage, totalPages = Math.ceil(total / perPage) } = readTotals(first);
  probe.check(totalPages === Math.ceil(total / perPage), '/meta/totalPages does not fit the total', first);
  if (totalCapped) return;
  for (const [page, expected] of [
    [total, 1],
    [total + 1, 0],
  ] as const) {
    if (page === 0) continue;
    const response = await get({ page: String(page), perPage: '1' });
    const isUnchanged = readTotals(response).total === total;
    const [newest, [last, ...others]] = [getItems(first)[0], getItems(response)];
    const count = last ? 1 + others.length : 0;
    probe.check(!isUnchanged || count === expected, 'the total is wrong', response);
    const isLast = !newest || !last || last.createdAt <= newest.createdAt;
    probe.check(isLast, 'the last page is newer than the first', response);
  }
};

const pageCheck = (state: AccountState, list: Operation): Check => ({
  name: `GET ${list.template}: pages, newest first`,
  run: async (probe) => {
    const get = createLister(state, probe, list);
    const first = await get();
    probe.expect(first, 200);
    const items = getItems(first);
    probe.check(items.length <= 10, 'more than 10 items without perPage', first);
    if (isByCursor(list)) return await checkCursor(probe, get);
    await checkTotals(probe, get, first);
    const small = await get({ page: '2', perPage: '1' });
    probe.expect(small, 200);
    probe.check(getItems(small).length <= 1, 'more than perPage items', small);
    const { total, page, perPage } = readTotals(small);
    probe.check(page === 2 && perPage === 1, '/page or /perPage is not that of the request', small);
    const isUnchanged = total === readTotals(first).total;
    const isSecond = getItems(small)[0]?.id === items[1]?.id;
    probe.check(!isUnchanged || isSecond, 'not the second item', small);
    const empty = await get({ page: PAST_THE_END });
    probe.expect(empty, 200);
    probe.check(getItems(empty).length === 0, 'items past the last page', empty);
  },
});

/** Values of a filter; of a text, one that nothing has. */
const listValues = ({ schema }: Parameter): string[] => {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.format === 'date-time' || schema.format === 'instant')
    return ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  return [randomUUID()];
};

const matches = (item: Item, name: string, value: string): boolean => {
  if (name === 'role') return (item['roles'] as string[]).includes(value);
  if (name === 'from') return item.createdAt >= value;
  if (name === 'until') return item.createdAt < value;
  return !(name in item) || String(item[name]) === value;
};

const filterCheck = (state: AccountState, list: Operation): Check => ({
  name: `GET ${list.template}: every filter returns only what matches`,
  run: async (probe) => {
    const get = createLister(state, probe, list);
    const [newest] = getItems(await get());
    for (const parameter of queryParameters(list)) {
      const { name, schema } = parameter;
      if (['page', 'perPage', 'cursor'].includes(name)) continue;
      for (const value of listValues(parameter)) {
        const response = await get({ [name]: value });
        probe.expect(response, 200);
        const other = getItems(response).find((item) => !matches(item, name, value));
        probe.check(other === undefined, `${name}=${value} also returns ${other?.id}`, response);
        const isListed = getItems(response).some(({ id }) => id === newest?.id);
        const mustBeListed = newest && String(newest[name]) === value;
        probe.check(!mustBeListed || isListed, `${name}=${value} lacks the newest item`, response);
        const isUnknown =
          !schema.enum && schema.type === 'string' && !/date-time|instant/.test(schema.format ?? '');
        probe.check(!isUnknown || getItems(response).length === 0, `${name} has no effect`, response);
      }
    }
  },
});

const invalidValues = ({ name, schema }: Parameter): string[] => {
  if (schema.type === 'integer')
    return [String((schema.minimum ?? 0) - 1), String((schema.maximum ?? 0) + 1), 'x'];
  if (schema.enum || schema.type === 'boolean') return ['invalid'];
  if (schema.format === 'uuid' || schema.format === 'date-time' || schema.format === 'instant')
    return ['invalid'];
  const longest = name === 'search' ? 255 : schema.maxLength;
  return longest === undefined ? [] : ['x'.repeat(longest + 1)];
};

const invalidQueryCheck = (state: AccountState, list: Operation): Check => ({
  name: `GET ${list.template}: 400 VALIDATION_FAILED for invalid, repeated and undeclared parameters`,
  run: async (probe) => {
    const get = createLister(state, probe, list);
    for (const parameter of queryParameters(list))
      for (const value of invalidValues(parameter)) {
        const response = await get({ [parameter.name]: value });
        probe.expect(response, 400, 'VALIDATION_FAILED', `/query/${parameter.name}`);
      }
    const repeated: Query = [
      ['page', '1'],
      ['page', '2'],
    ];
    probe.expect(await get(repeated), 400, 'VALIDATION_FAILED', '/query/page');
    probe.expect(await get({ undeclared: 'x' }), 400, 'VALIDATION_FAILED', '/query/undeclared');
  },
});

/** The first item of the list, by its own route, which shows the same. */
const detailCheck = (state: AccountState, list: Operation, detail: Operation): Check => ({
  name: `GET ${detail.template}: the first of the list`,
  operations: new RegExp(`^${detail.id}$`),
  run: async (probe) => {
    const [item] = getItems(await createLister(state, probe, list)({ perPage: '1' }));
    const { id } = item ?? probe.skip('the list is empty');
    const headers = bearer(requireDevice(state, probe));
    const response = await probe.call({ path: toPath(detail, id), headers });
    probe.expect(response, 200);
    probe.check(response.body?.id === id, '/id is another one', response);
  },
});

/** Reads every list and one record of each. The filters and limits are those of the document. */
export const listChecks = (state: AccountState, operations: readonly Operation[]): Check[] =>
  operations.filter(isList).flatMap((list) => {
    const isDetail = ({ method, template }: Operation) =>
      method === 'GET' && template.replace(/\/\{\w+\}$/, '') === list.template && template !== list.template;
    const detail = operations.find(isDetail);
    return [
      pageCheck(state, list),
      filterCheck(state, list),
      invalidQueryCheck(state, list),
      ...(detail ? [detailCheck(state, list, detail)] : []),
    ];
  });
