import type { Operation, Schema } from '@platform/shared/testing/openapi-operations';
import fc from 'fast-check';
import { type FuzzRequest, type Mutation, mutation, oneOf, withBytes } from '../request.ts';
import { ODD_TEXTS, PROTOTYPE_KEYS } from './odd-values.ts';

type Body = Record<string, unknown>;

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, 123_456, '', 'text'],
  ...[[], ['x'], [[]], {}, { a: 1 }, [null]],
];
const EXTRA_FIELDS = [
  ...['isAdmin', 'status', 'roles', 'platformRole', 'id', 'isBlocked', '', '🚀', 'a'.repeat(5_000)],
];
const POLLUTIONS = ['{"isAdmin":true}', '{"prototype":{"x":1}}', '1', 'null'];

const oddValue = fc.oneof(
  { weight: 2, arbitrary: oneOf(ODD_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const oddText = fc.oneof(
  { weight: 2, arbitrary: oneOf(ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
);

const nest = ([depth, isArray]: [number, boolean]): unknown =>
  Array.from({ length: depth }).reduce<unknown>((value) => (isArray ? [value] : { a: value }), 'deep');

const getLengths = ({ minLength = 0, maxLength = 100 }: Schema): number[] => [
  ...[0, 1, Math.max(0, minLength - 1), minLength, maxLength, maxLength + 1, 2 * maxLength, 20_000],
];

/** Changes the request unless its body is no object or already consists of bytes. */
const changeBody = (request: FuzzRequest, change: (body: Body) => FuzzRequest): FuzzRequest => {
  const { json, bytes } = request;
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return isObject && bytes === undefined ? change(json as Body) : request;
};

const setField = (request: FuzzRequest, name: string, toValue: (value: unknown) => unknown): FuzzRequest =>
  changeBody(request, (body) => ({ ...request, json: { ...body, [name]: toValue(body[name]) } }));

const onField = <Value>(
  name: string,
  fields: fc.Arbitrary<string>,
  values: fc.Arbitrary<Value>,
  toValue: (value: Value, before: unknown) => unknown,
): fc.Arbitrary<Mutation> =>
  mutation(name, fc.tuple(fields, values), (request, [field, value]) =>
    setField(request, field, (before) => toValue(value, before)),
  );

const removeField = (request: FuzzRequest, name: string): FuzzRequest =>
  changeBody(request, ({ [name]: removed, ...json }) =>
    removed === undefined ? request : { ...request, json },
  );

/** Adds the key to the text, because an object literal cannot have an own key `__proto__`. */
const addPrototypeKey = (request: FuzzRequest, [key, value]: [string, string]): FuzzRequest =>
  changeBody(request, (body) => {
    const [first = '{', ...rest] = JSON.stringify(body);
    const comma = rest.length === 1 ? '' : ',';
    return withBytes(request, Buffer.from(`${first}${JSON.stringify(key)}:${value}${comma}${rest.join('')}`));
  });

/** Changes of the fields of a JSON body. */
export const bodyValueMutations = ({ body }: Operation): fc.Arbitrary<Mutation>[] => {
  const properties = Object.entries(body?.schema.properties ?? {});
  if (properties.length === 0) return [];
  const fields = oneOf(properties.map(([name]) => name));
  const depths = fc.tuple(fc.constantFrom(2, 31, 32, 33, 500), fc.boolean());
  const bounds = fc.oneof(
    ...properties.map(([name, schema]) => fc.tuple(fc.constant(name), oneOf(getLengths(schema)))),
  );
  return [
    onField('other type', fields, oddValue, (value) => value),
    mutation('missing field', fields, removeField),
    mutation(
      'field at its bounds',
      fc.tuple(bounds, fc.constantFrom('a', 'é', '🚀')),
      (request, [[field, length], character]) => setField(request, field, () => character.repeat(length)),
    ),
    onField('odd text', fields, oddText, (text) => text),
    onField('odd text within', fields, oddText, (text, before) => `${String(before).slice(0, 3)}${text}x`),
    onField('deep field', fields, depths, nest),
    onField('extra field', oneOf(EXTRA_FIELDS), oddValue, (value) => value),
    mutation('prototype key', fc.tuple(oneOf(PROTOTYPE_KEYS), oneOf(POLLUTIONS)), addPrototypeKey),
  ];
};
