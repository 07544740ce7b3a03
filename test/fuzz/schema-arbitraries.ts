import type { Schema } from '@platform/shared/testing/openapi-operations';
import fc from 'fast-check';

/** Scripts, combining characters, invisible characters and syntax that often break programs. */
const TRICKY_CHARACTERS = [
  ...'ÄßéñøЖя中日本語한글العربية',
  ...'🚀👩‍🚀\u200b\u202e\u2028\ufeff',
  ...`'"\\/<>&%$#;|{}[]()*+?^~\``,
];

/** Each is one code point, because JSON Schema counts code points. */
const character = fc.oneof(
  fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789 -_.'),
  fc.constantFrom(...TRICKY_CHARACTERS),
  fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }),
);

/**
 * Replaces a missing maxLength, and the maxLength of all headers or the whole body, because such a long text
 * would leave no room for the rest.
 */
const MAX_LENGTH = 300;
const getMaxLength = ({ maxLength = MAX_LENGTH }: Schema) => (maxLength < 16_384 ? maxLength : MAX_LENGTH);
/** The maximum length of a list without maxItems. */
const MAX_ITEMS = 10;

const CERTAINLY_VISIBLE = /[\p{L}\p{N}]/u;
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** Control characters, and line and paragraph separators. */
const BREAKS_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const isText = (value: string, kind: Schema['x-text']): boolean =>
  CERTAINLY_VISIBLE.test(value) &&
  !DIRECTION.test(value) &&
  (kind === 'multi-line' || !BREAKS_LINE.test(value));

const text = (schema: Schema): fc.Arbitrary<string> => {
  const { minLength = 1, pattern = '' } = schema;
  const maxLength = getMaxLength(schema);
  return fc
    .oneof(
      fc.string({ unit: character, minLength, maxLength: Math.min(maxLength, minLength + 40) }),
      fc.string({ unit: character, minLength, maxLength }),
    )
    .filter((value) => new RegExp(pattern, 'u').test(value))
    .filter((value) => !schema['x-text'] || isText(value, schema['x-text']));
};

const instant = fc
  .tuple(
    fc.date({ min: new Date('2010-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
    fc.constantFrom('Z', '+02:00', '.25Z'),
  )
  .map(([date, suffix]) => date.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length) + suffix);

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.stringMatching(/^fuzz-[0-9a-f]{12}@(?:example\.com|Sub\.Example\.org)$/),
  password: fc.stringMatching(/^Aa1 [ -~]{6,60}$/),
  'date-time': instant,
  // Providers may return only to frontends on this machine.
  uri: fc.stringMatching(/^http:\/\/localhost:[1-9][0-9]{3}\/[a-z]{1,12}$/),
};

/**
 * The values are often small and often at the bounds. `withCrossShrink` shrinks from the bounds to smaller
 * values.
 */
const integer = ({ minimum = 0, maximum = 1_000 }: Schema): fc.Arbitrary<number> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.integer({ min: minimum, max: maximum }),
    fc.integer({ min: minimum, max: Math.min(maximum, 20) }),
    fc.constantFrom(minimum, maximum),
  );

const textOf = (schema: Schema): fc.Arbitrary<string> => {
  const format = FORMATS[schema.format ?? ''];
  if (format) return format;
  // A pattern without anchors matches a part of the text.
  if (schema.pattern?.startsWith('^')) return fc.stringMatching(new RegExp(schema.pattern));
  // An empty search term is valid.
  if (schema['x-trim'] && !schema.minLength)
    return fc.string({ unit: character, maxLength: schema.maxLength ?? MAX_LENGTH });
  return text(schema);
};

/** Generates values that the schema allows. `replacements` replace the schemas of some properties. */
export const fromSchema = (
  schema: Schema,
  replacements: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return integer(schema);
  if (schema.items)
    return fc.array(fromSchema(schema.items), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS),
    });
  if (schema.type !== 'object') return textOf(schema);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [name, replacements[name] ?? fromSchema(inner)] as const,
  );
  return fc.record(Object.fromEntries(properties), { requiredKeys: schema.required ?? [] });
};

/** Generates header values of visible ASCII characters, or those of the pattern. */
export const headerFromSchema = (schema: Schema): fc.Arbitrary<string> =>
  schema.format === 'uuid' || schema.pattern?.startsWith('^')
    ? textOf(schema)
    : fc.string({
        unit: fc.constantFrom(...'abcdefXYZ019-_.:'),
        minLength: 1,
        maxLength: getMaxLength(schema),
      });
