import { isDeepStrictEqual } from 'node:util';
import type { Resolve, Schema } from './openapi-parts.ts';

/** What a caller sends must still be taken; what a caller gets must still be what was promised. */
export type Direction = 'sent' | 'answered';

type Comparison = {
  direction: Direction;
  before: Resolve;
  after: Resolve;
  /** Told of each break: where in the value, and what it is. */
  report: (where: string, what: string) => void;
};

/** Say nothing about which values there are. */
const ANNOTATIONS = ['description', 'title', 'example', 'examples', 'deprecated', 'externalDocs', '$comment'];
/** Looked at one by one below. */
const JUDGED = ['type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties'];
const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const;
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const KNOWN = new Set<string>([...ANNOTATIONS, ...JUDGED, ...COMBINED, ...LOWER, ...UPPER]);

const listOf = (value: unknown): unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
const missingFrom = (values: unknown[], others: unknown[]): unknown[] =>
  values.filter((value) => !others.some((other) => isDeepStrictEqual(value, other)));
const print = (values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const typesOf = ({ type }: Schema): unknown[] => listOf(type);
/** Every integer is a number. */
const withIntegers = (types: unknown[]): unknown[] =>
  types.includes('number') ? [...types, 'integer'] : types;

const compareTypes = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  const [promised, found] = direction === 'sent' ? [now, old] : [old, now];
  // Without a type every value is good.
  if (promised['type'] === undefined) return;
  const isOpen = found['type'] === undefined;
  const foreign = missingFrom(typesOf(found), withIntegers(typesOf(promised)));
  if (isOpen || foreign.length > 0)
    report(where, `the type was ${print(typesOf(old)) || 'open'} and is ${print(typesOf(now)) || 'open'}`);
};

const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);

/** A new value in an answer is no break: callers are told to expect such. One that goes is, since callers name it. */
const compareValues = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  if (before === undefined && after !== undefined && direction === 'sent')
    report(where, `only ${print(after)} is taken now`);
  if (before === undefined || after === undefined) return;
  const gone = missingFrom(before, after);
  if (gone.length > 0) report(where, `${print(gone)} is gone`);
};

const compareLimits = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  if (direction === 'answered') return;
  const check = (keywords: string[], isTighter: (before: number, after: number) => boolean) => {
    for (const keyword of keywords) {
      const [before, after] = [old[keyword], now[keyword]];
      if (typeof after !== 'number' || before === after) continue;
      if (typeof before !== 'number' || isTighter(before, after))
        report(where, `${keyword} was ${before ?? 'not set'} and is ${after}`);
    }
  };
  check(LOWER, (before, after) => after > before);
  check(UPPER, (before, after) => after < before);
};

/** What this comparison does not understand is a break as soon as it changes; a demand that is dropped is none to a sender. */
const compareOthers = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  for (const keyword of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (KNOWN.has(keyword) || keyword.startsWith('x-')) continue;
    const isDropped = now[keyword] === undefined && keyword !== 'default';
    if (isDeepStrictEqual(old[keyword], now[keyword]) || (isDropped && direction === 'sent')) continue;
    report(
      where,
      `${keyword} was ${print(listOf(old[keyword])) || 'not set'} and is ${print(listOf(now[keyword])) || 'not set'}`,
    );
  }
};

const compareProperties = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const { direction, report } = comparison;
  const [before, after] = [old, now].map((schema) => (schema['properties'] ?? {}) as Record<string, Schema>);
  for (const [name, property] of Object.entries(before ?? {})) {
    const same = after?.[name];
    if (same === undefined) report(`${where}/${name}`, 'is gone');
    else compareSchemas(property, same, comparison, `${where}/${name}`);
  }
  const [wasRequired, isRequired] = [listOf(old['required']), listOf(now['required'])];
  const [first, second, what] =
    direction === 'sent'
      ? [isRequired, wasRequired, 'is required now']
      : [wasRequired, isRequired, 'is no longer always there'];
  // One that is gone was told of above.
  for (const name of missingFrom(first, second))
    if (after?.[String(name)] !== undefined) report(`${where}/${name}`, what);
};

const compareAdditional = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const [before, after] = [old['additionalProperties'] ?? true, now['additionalProperties'] ?? true];
  if (typeof before === 'object' && typeof after === 'object')
    compareSchemas(before as Schema, after as Schema, comparison, `${where}/*`);
  else if (comparison.direction === 'sent' && before !== false && after !== true && before !== after)
    comparison.report(where, 'further properties are no longer taken as they were');
};

/** In place: the alternatives of one document stand in the order of the other. */
const compareCombined = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const { direction, report } = comparison;
  for (const keyword of COMBINED) {
    const [before, after] = [listOf(old[keyword]), listOf(now[keyword])] as [Schema[], Schema[]];
    for (const [index, schema] of before.entries()) {
      const same = after[index];
      if (same) compareSchemas(schema, same, comparison, where);
    }
    const isNarrower = keyword === 'allOf' ? after.length > before.length : after.length < before.length;
    const isWider = after.length !== before.length && !isNarrower;
    if (direction === 'sent' ? isNarrower : isWider)
      report(where, `${keyword} has ${after.length} parts and had ${before.length}`);
  }
};

/** Reports every way in which a value that was good before is no longer, seen from the caller. */
export const compareSchemas = (
  given: Schema | undefined,
  changed: Schema | undefined,
  comparison: Comparison,
  where: string,
): void => {
  const old = comparison.before(given ?? {});
  const now = comparison.after(changed ?? {});
  if (isDeepStrictEqual(old, now) && !JSON.stringify(old).includes('"$ref"')) return;
  compareTypes(old, now, comparison, where);
  compareValues(old, now, comparison, where);
  compareLimits(old, now, comparison, where);
  compareOthers(old, now, comparison, where);
  compareProperties(old, now, comparison, where);
  compareAdditional(old, now, comparison, where);
  compareCombined(old, now, comparison, where);
  if (old['items'] && now['items'])
    compareSchemas(old['items'] as Schema, now['items'] as Schema, comparison, `${where}/[]`);
  else if (old['items'] || now['items'])
    comparison.report(where, 'what the list holds is described otherwise');
};
