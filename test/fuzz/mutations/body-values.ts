import type { Schema } from '../contract.ts';
import type { Draft } from '../draft.ts';
import type { Random } from '../random.ts';
import type { Mutation, Mutations } from './mutation.ts';
import { ODD_TEXTS, PROTOTYPE_KEYS } from './mutation.ts';

type Body = Record<string, unknown>;

const bodyOf = ({ json, bytes }: Draft): Body | undefined =>
  bytes === undefined && typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Body)
    : undefined;

/** Calls `change` with a field of the body; there is none in an empty one. */
const onField =
  (change: (body: Body, name: string, random: Random, schema: Schema) => void): Mutation =>
  (draft, random) => {
    const body = bodyOf(draft);
    const names = Object.keys(body ?? {});
    if (!body || names.length === 0) return false;
    const name = random.pick(names);
    change(body, name, random, draft.operation.body?.schema.properties?.[name] ?? {});
    return true;
  };

const nest = (depth: number, isArray: boolean): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = isArray ? [value] : { a: value };
  return value;
};

const otherTypes = (random: Random): unknown =>
  random.pick<unknown>([
    ...[null, true, false, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, '', 'text'],
    ...[[], ['x'], [[]], {}, { a: 1 }, [null], 123_456],
  ]);

const lengths = ({ minLength = 0, maxLength = 100 }: Schema): number[] => [
  ...[0, 1, Math.max(0, minLength - 1), minLength, maxLength, maxLength + 1],
  ...[2 * maxLength, 20_000],
];

/** What is done to the fields of a body before it becomes JSON. */
export const BODY_VALUE_MUTATIONS: Mutations = {
  'other type': onField((body, name, random) => {
    body[name] = otherTypes(random);
  }),
  'missing field': onField((body, name) => {
    delete body[name];
  }),
  'field at its bounds': onField((body, name, random, schema) => {
    body[name] = random.pick(['a', 'é', '🚀']).repeat(random.pick(lengths(schema)));
  }),
  'odd text': onField((body, name, random) => {
    body[name] = random.pick(ODD_TEXTS);
  }),
  'odd text within': onField((body, name, random) => {
    body[name] = `${String(body[name]).slice(0, 3)}${random.pick(ODD_TEXTS)}x`;
  }),
  'deep field': onField((body, name, random) => {
    body[name] = nest(random.pick([2, 31, 32, 33, 500]), random.chance(0.5));
  }),
  'extra field': (draft, random) => {
    const body = bodyOf(draft);
    if (!body) return false;
    const name = random.pick([
      'isAdmin',
      'status',
      'roles',
      'platformRole',
      'id',
      'isBlocked',
      '',
      '🚀',
      'a'.repeat(5_000),
    ]);
    body[name] = otherTypes(random);
    return true;
  },
  'prototype key': (draft, random) => {
    const body = bodyOf(draft);
    if (!body) return false;
    // Assigned, __proto__ would be no key; parsed, it is one.
    const key = JSON.stringify(random.pick(PROTOTYPE_KEYS));
    const polluted = JSON.parse(
      `{${key}:${random.pick(['{"isAdmin":true}', '{"prototype":{"x":1}}', '1', 'null'])}}`,
    );
    draft.bytes = Buffer.from(
      JSON.stringify(body)
        .replace('{', `${JSON.stringify(polluted).slice(0, -1)},`)
        .replace(',}', '}'),
    );
    return true;
  },
};
