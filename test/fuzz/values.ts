import type { Schema } from './contract.ts';
import type { Random } from './random.ts';

/** Characters that every text may hold: of one byte to four, of several writing systems, and those that programs trip over. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789 -_.',
  ...'ÄßéñøЖя中日本語한글العربية',
  ...'🚀👩‍🚀\u200b\u202e\u2028\ufeff',
  ...`'"\\/<>&%$#;|{}[]()*+?^~\``,
];
const BYTE_CHARACTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;!-_'];

/** So many characters, as JSON Schema counts them. */
export const textOf = (random: Random, length: number, characters: readonly string[] = CHARACTERS): string =>
  Array.from({ length }, () => random.pick(characters)).join('');

const someLength = (random: Random, { minLength = 0, maxLength = 300 }: Schema): number =>
  random.int(
    Math.max(1, minLength),
    Math.max(1, Math.min(maxLength, random.pick([8, 40, maxLength]), 4_000), minLength),
  );

const FORMATS: Record<string, (random: Random) => string> = {
  uuid: (random) => random.uuid(),
  email: (random) =>
    `fuzz-${random.hex(12)}@${random.pick(['example.com', 'Sub.Example.org', 'example.com'])}`,
  'new-password': (random) => `Aa1 ${textOf(random, random.int(6, 60), BYTE_CHARACTERS)}`,
  instant: (random) =>
    `20${random.int(10, 30)}-0${random.int(1, 9)}-1${random.int(0, 9)}T0${random.int(0, 9)}:30:00${random.pick(['Z', '+02:00', '.25Z'])}`,
  // Form decoding and trimming leave these as they are.
  search: (random) => textOf(random, random.int(0, 255)),
};

const stringOf = (schema: Schema, random: Random): string => {
  if (schema.enum) return random.pick(schema.enum);
  if (schema.pattern === '^\\d{6}$') return String(random.int(0, 999_999)).padStart(6, '0');
  const format = FORMATS[schema.format ?? ''];
  return format ? format(random) : textOf(random, someLength(random, schema));
};

const objectOf = (schema: Schema, random: Random): Record<string, unknown> => {
  const names = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random.chance(0.6),
  );
  return Object.fromEntries(names.map(([name, inner]) => [name, valueFor(inner, random)]));
};

/** A value that the schema allows. */
export const valueFor = (schema: Schema, random: Random): unknown => {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random);
    case 'integer': {
      const { minimum = 0, maximum = 1_000 } = schema;
      return random.pick([minimum, random.int(minimum, Math.min(maximum, 20)), maximum]);
    }
    case 'boolean':
      return random.chance(0.5);
    default:
      return stringOf(schema, random);
  }
};

/** As a header may carry it: visible ASCII. */
export const headerTextOf = (random: Random, schema: Schema): string =>
  schema.format === 'uuid'
    ? random.uuid()
    : textOf(random, random.int(1, schema.maxLength ?? 64), [...'abcdefXYZ019-_.:']);
