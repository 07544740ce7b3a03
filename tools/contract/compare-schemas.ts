import { isDeepStrictEqual } from 'node:util';
import { compareAlternatives, compareWithAlternatives } from './compare-alternatives.ts';
import { type SchemaComparison as Comparison, getValues, type Schema } from './openapi-types.ts';

/** Do not affect validation: a discriminator selects one of the alternatives, which are compared. */
const ANNOTATIONS = [
  ...['description', 'title', 'example', 'examples', 'deprecated', 'externalDocs', '$comment'],
  'discriminator',
];
/** Compared by the functions below. */
const COMPARED = ['type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties'];
const COMBINED = ['allOf', 'anyOf', 'oneOf'];
/** Formats that only tell a tool how to display the value. */
const DISPLAY_FORMATS: unknown[] = ['password'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-bytes'];
const KNOWN = new Set<string>([...ANNOTATIONS, ...COMPARED, ...COMBINED, ...LOWER, ...UPPER]);

const toList = (value: unknown): unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
const difference = (values: unknown[], others: unknown[]): unknown[] =>
  values.filter((value) => !others.some((other) => isDeepStrictEqual(value, other)));
const print = (values: unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const getTypes = ({ type }: Schema): unknown[] => toList(type);
/** Every integer is a number. */
const withIntegers = (types: unknown[]): unknown[] =>
  types.includes('number') ? [...types, 'integer'] : types;

const compareTypes = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  const [allowed, actual] = direction === 'request' ? [now, old] : [old, now];
  // A schema without a type allows every value.
  if (allowed['type'] === undefined) return;
  const isUnrestricted = actual['type'] === undefined;
  const excess = difference(getTypes(actual), withIntegers(getTypes(allowed)));
  if (isUnrestricted || excess.length > 0)
    report(
      where,
      `type was ${print(getTypes(old)) || 'not set'} and is ${print(getTypes(now)) || 'not set'}`,
    );
};

/** A new response value is compatible, because clients must expect unknown values. A removed one is not: clients refer to it. */
const compareValues = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  const [before, after] = [getValues(old), getValues(now)];
  if (before === undefined && after !== undefined && direction === 'request')
    report(where, `became restricted to ${print(after)}`);
  if (before === undefined || after === undefined) return;
  const removed = difference(before, after);
  if (removed.length > 0) report(where, `${print(removed)} was removed`);
};

/** Of the texts that the services accept. */
const FORMAT_LENGTHS: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 35 };
const BODY_LENGTH = 102_400;

/** The length of the longest text that was accepted without a `maxLength`. */
const getImpliedLength = ({ format, pattern }: Schema): number => {
  const [, digits] = /^\^\\d\{(\d+)\}\$$/.exec(String(pattern)) ?? [];
  return FORMAT_LENGTHS[String(format)] ?? Number(digits ?? BODY_LENGTH);
};

const compareLimits = (old: Schema, now: Schema, { direction, report }: Comparison, where: string): void => {
  if (direction === 'response') return;
  const check = (keywords: string[], isTighter: (before: number, after: number) => boolean) => {
    for (const keyword of keywords) {
      const [before, after] = [old[keyword], now[keyword]];
      if (typeof after !== 'number' || before === after) continue;
      if (keyword === 'maxLength' && before === undefined && after >= getImpliedLength(old)) continue;
      if (typeof before !== 'number' || isTighter(before, after))
        report(where, `${keyword} was ${before ?? 'not set'} and is ${after}`);
    }
  };
  check(LOWER, (before, after) => after > before);
  check(UPPER, (before, after) => after < before);
};

const withoutDisplayFormat = ({ format, ...schema }: Schema): Schema =>
  format === undefined || DISPLAY_FORMATS.includes(format) ? schema : { ...schema, format };

/** Any change of an unknown keyword counts as breaking, except that a request constraint may be removed. */
const compareOthers = (given: Schema, changed: Schema, comparison: Comparison, where: string): void => {
  const { direction, report } = comparison;
  const [old, now] = [withoutDisplayFormat(given), withoutDisplayFormat(changed)];
  for (const keyword of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (KNOWN.has(keyword) || keyword.startsWith('x-')) continue;
    const isRemoved = now[keyword] === undefined && keyword !== 'default';
    if (isDeepStrictEqual(old[keyword], now[keyword]) || (isRemoved && direction === 'request')) continue;
    report(
      where,
      `${keyword} was ${print(toList(old[keyword])) || 'not set'} and is ${print(toList(now[keyword])) || 'not set'}`,
    );
  }
};

const compareProperties = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const { direction, report } = comparison;
  const [before, after] = [old, now].map((schema) => (schema['properties'] ?? {}) as Record<string, Schema>);
  for (const [name, property] of Object.entries(before ?? {})) {
    const same = after?.[name];
    if (same === undefined) report(`${where}/${name}`, 'was removed');
    else compareSchemas(property, same, comparison, `${where}/${name}`);
  }
  const [wasRequired, isRequired] = [toList(old['required']), toList(now['required'])];
  const [first, second, change] =
    direction === 'request'
      ? [isRequired, wasRequired, 'became required']
      : [wasRequired, isRequired, 'became optional'];
  // Removed properties are reported above.
  for (const name of difference(first, second))
    if (after?.[String(name)] !== undefined) report(`${where}/${name}`, change);
};

const compareAdditional = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const [before, after] = [old['additionalProperties'] ?? true, now['additionalProperties'] ?? true];
  if (typeof before === 'object' && typeof after === 'object')
    compareSchemas(before as Schema, after as Schema, comparison, `${where}/*`);
  else if (comparison.direction === 'request' && before !== false && after !== true && before !== after)
    comparison.report(where, 'additionalProperties became stricter');
};

const compareParts = (old: Schema, now: Schema, comparison: Comparison, where: string): void => {
  const [before, after] = [toList(old['allOf']), toList(now['allOf'])] as [Schema[], Schema[]];
  for (const [index, schema] of before.entries())
    if (after[index]) compareSchemas(schema, after[index], comparison, where);
  const [fewer, more] = comparison.direction === 'request' ? [before, after] : [after, before];
  if (more.length > fewer.length)
    comparison.report(where, `allOf had ${before.length} schemas and has ${after.length}`);
};

/** Reports the changes of a schema that can break a client. */
export const compareSchemas = (
  given: Schema | undefined,
  changed: Schema | undefined,
  comparison: Comparison,
  where: string,
): void => {
  const old = comparison.before(given ?? {});
  const now = comparison.after(changed ?? {});
  if (isDeepStrictEqual(old, now) && !JSON.stringify(old).includes('"$ref"')) return;
  const [hadAlternatives, hasAlternatives] = [old, now].map(({ anyOf, oneOf }) => Boolean(oneOf ?? anyOf));
  const compare = (one: Schema, other: Schema, report: Comparison['report']) =>
    compareSchemas(one, other, { ...comparison, report }, where);
  if (hadAlternatives !== hasAlternatives) {
    compareWithAlternatives(old, now, comparison, compare);
    return;
  }
  if (hadAlternatives) compareAlternatives(old, now, comparison, where, compare);
  compareTypes(old, now, comparison, where);
  compareValues(old, now, comparison, where);
  compareLimits(old, now, comparison, where);
  compareOthers(old, now, comparison, where);
  compareProperties(old, now, comparison, where);
  compareAdditional(old, now, comparison, where);
  compareParts(old, now, comparison, where);
  if (old['items'] && now['items'])
    compareSchemas(old['items'] as Schema, now['items'] as Schema, comparison, `${where}/[]`);
  else if (old['items'] || now['items']) comparison.report(where, 'items was added or removed');
};
