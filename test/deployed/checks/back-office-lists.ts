import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { AccountChecks, SignedIn } from './account-state.ts';
import { toPath } from './invalid-requests.ts';

type Parameter = Operation['parameters'][number];
type Query = Record<string, string> | [string, string][];
type Item = Record<string, unknown> & { id: string; createdAt: string };
type Lister = (query?: Query) => Promise<HttpResponse>;

/** A page number that is beyond the last page of any list. */
const PAST_THE_END = 1_000_000;

const queryParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

/** Whether the operation returns pages. */
const isList = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  !operation.template.includes('{') &&
  queryParameters(operation).some(({ name }) => name === 'perPage');

/** The list of deleted projects is in the order of their deletion. */
const toOrder = (item: Item): string => item.createdAt ?? String(item['deletedAt']);

const getItems = ({ body }: HttpResponse): Item[] => (Array.isArray(body.data) ? body.data : []);

const createLister =
  ({ send }: SignedIn, { template }: Operation): Lister =>
  (query = {}) =>
    send('GET', `${template}?${new URLSearchParams(query)}`);

const checkCursor = async ({ expect, check }: SignedIn, get: Lister): Promise<void> => {
  const first = await expect(get({ perPage: '1' }), 200);
  const cursor: string | null = first.body.nextCursor;
  if (cursor === null) return;
  const second = await expect(get({ perPage: '1', cursor }), 200);
  const [before, after] = [first, second].map((response) => getItems(response)[0]);
  const isNext = before && after && after.id !== before.id && after.createdAt <= before.createdAt;
  check(isNext === true, 'not the record after the first page', second);
};

type Totals = { total: number; totalCapped?: boolean; page: number; perPage: number; totalPages?: number };

const readTotals = ({ body }: HttpResponse): Totals => ({ ...body, ...body.meta });

/**
 * Reads pages of one item: the second page, the last, and the empty one after it, unless the list changes
 * meanwhile.
 */
const checkPages = async ({ expect, check }: SignedIn, get: Lister, first: HttpResponse): Promise<void> => {
  const { total, totalCapped, perPage, totalPages = Math.ceil(total / perPage) } = readTotals(first);
  check(totalPages === Math.ceil(total / perPage), '/meta/totalPages does not fit the total', first);
  const [newest, second] = getItems(first);
  const ends = totalCapped ? [] : [total || 1, total + 1];
  for (const page of new Set([2, ...ends, PAST_THE_END])) {
    const response = await expect(get({ page: String(page), perPage: '1' }), 200);
    const now = readTotals(response);
    check(now.page === page && now.perPage === 1, '/page or /perPage is not that of the request', response);
    const [item, ...others] = getItems(response);
    check(others.length === 0, 'more than perPage items', response);
    if (now.total !== total) continue;
    check((item !== undefined) === page <= total, 'the total is wrong', response);
    check(page !== 2 || item?.id === second?.id, 'not the second item', response);
    check(!item || !newest || toOrder(item) <= toOrder(newest), 'newer than the first page', response);
  }
};

const checkList = async (signedIn: SignedIn, list: Operation): Promise<void> => {
  const get = createLister(signedIn, list);
  const first = await signedIn.expect(get(), 200);
  signedIn.check(getItems(first).length <= 10, 'more than 10 items without perPage', first);
  const isByCursor = queryParameters(list).some(({ name }) => name === 'cursor');
  await (isByCursor ? checkCursor(signedIn, get) : checkPages(signedIn, get, first));
};

const isTime = ({ format = '' }: Parameter['schema']): boolean => /^(?:date-time|instant)$/.test(format);

/** Values for a filter. For a text, a value that matches nothing. */
const listValues = ({ schema }: Parameter): string[] => {
  if (schema.items?.enum) return schema.items.enum.slice(0, 5);
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return ['true', 'false'];
  return isTime(schema) ? ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'] : [randomUUID()];
};

const matches = (item: Item, name: string, value: string): boolean => {
  if (name === 'role') return (item['roles'] as string[]).includes(value);
  if (name === 'from') return item.createdAt >= value;
  if (name === 'until') return item.createdAt < value;
  return !(name in item) || String(item[name]) === value;
};

const checkFilters = async (signedIn: SignedIn, list: Operation): Promise<void> => {
  const { expect, check } = signedIn;
  const get = createLister(signedIn, list);
  const [newest] = getItems(await expect(get(), 200));
  for (const parameter of queryParameters(list)) {
    const { name, schema } = parameter;
    if (['page', 'perPage', 'cursor', 'sort'].includes(name)) continue;
    for (const value of listValues(parameter)) {
      const response = await expect(get({ [name]: value }), 200);
      const items = getItems(response);
      const other = items.find((item) => !matches(item, name, value));
      check(other === undefined, `${name}=${value} also returns ${other?.id}`, response);
      const mustBeListed = newest && String(newest[name]) === value;
      const isListed = items.some(({ id }) => id === newest?.id);
      check(!mustBeListed || isListed, `${name}=${value} lacks the newest item`, response);
      const isUnknown = !schema.enum && schema.type === 'string' && !isTime(schema);
      check(!isUnknown || items.length === 0, `${name} has no effect`, response);
    }
  }
};

const invalidValues = ({ name, schema }: Parameter): string[] => {
  if (schema.type === 'integer')
    return [String((schema.minimum ?? 0) - 1), String((schema.maximum ?? 0) + 1), 'x'];
  if (schema.enum || schema.type === 'boolean' || schema.format === 'uuid' || isTime(schema))
    return ['invalid'];
  const longest = ['search', 'q'].includes(name) ? 255 : schema.maxLength;
  return longest === undefined ? [] : ['x'.repeat(longest + 1)];
};

const checkInvalidQueries = async (signedIn: SignedIn, list: Operation): Promise<void> => {
  const get = createLister(signedIn, list);
  const queries: [name: string, query: Query][] = [
    ...queryParameters(list).flatMap((parameter) =>
      invalidValues(parameter).map((value): [string, Query] => [parameter.name, [[parameter.name, value]]]),
    ),
    ['page', ['1', '2'].map((value) => ['page', value])],
    ['undeclared', [['undeclared', 'x']]],
  ];
  for (const [name, query] of queries)
    await signedIn.expect(get(query), 400, 'VALIDATION_FAILED', `/query/${name}`);
};

/** Reads the first item of the list at its own route, which must show the same. */
const checkDetail = async (signedIn: SignedIn, list: Operation, detail: Operation): Promise<void> => {
  const { send, expect, covers, check, skip } = signedIn;
  covers(new RegExp(`^${detail.id}$`));
  const [item] = getItems(await expect(send('GET', `${list.template}?perPage=1`), 200));
  const { id } = item ?? skip('the list is empty');
  const response = await expect(send('GET', toPath(detail, id)), 200);
  check(response.body.id === id, '/id is another one', response);
};

/** Reads every list and one record of each. The document defines the filters and limits. */
export const listChecks = (operations: readonly Operation[]): AccountChecks => {
  const checks: AccountChecks = {};
  for (const list of operations.filter(isList)) {
    const name = `GET ${list.template}`;
    checks[`${name}: pages, newest first`] = (signedIn) => checkList(signedIn, list);
    checks[`${name}: every filter returns only what matches`] = (signedIn) => checkFilters(signedIn, list);
    checks[`${name}: 400 VALIDATION_FAILED for invalid, repeated and undeclared parameters`] = (signedIn) =>
      checkInvalidQueries(signedIn, list);
    const detail = operations.find(
      ({ method, template }) => method === 'GET' && template.replace(/\{\w+\}$/, '') === `${list.template}/`,
    );
    if (detail)
      checks[`GET ${detail.template}: the first of the list`] = (signedIn) =>
        checkDetail(signedIn, list, detail);
  }
  return checks;
};
