type Reference = { $ref: string };

/** The part of JSON Schema that the documents use. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  default?: unknown;
  enum?: unknown[];
  'x-known-values'?: unknown[];
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  minLength?: number;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  /** Examples do not contain this property. */
  'x-unusual'?: boolean;
};
export type NamedExamples = Record<string, { value?: unknown } | Reference>;
export type MediaType = { schema?: Schema; example?: unknown; examples?: NamedExamples };

/** Follows `#/…` references, including those that lead to another reference. */
const resolveReference = <Value extends object>(document: object, value: Value | Reference): Value => {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const keys = value.$ref.slice('#/'.length).split('/');
  const found = keys.reduce<unknown>(
    (node, key) => (node as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
    document,
  );
  if (typeof found !== 'object' || found === null) throw new Error(`${value.$ref} does not exist`);
  return resolveReference(document, found as Value | Reference);
};

const STRINGS: Record<string, string> = {
  uuid: '8e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69',
  email: 'ada@example.com',
  'date-time': '2026-11-20T09:30:00.000Z',
  uri: 'https://example.com/',
};

const stringFor = ({ format = '', minLength = 1 }: Schema): string =>
  STRINGS[format] ?? 'text'.padEnd(minLength, ' text');

const scalarFor = (schema: Schema): unknown => {
  const [type] = [schema.type ?? 'string'].flat();
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return type === 'null' ? null : stringFor(schema);
};

/** Returns a value that the schema itself specifies, as a list with at most one item. */
const findGivenValue = ({ example, examples, const: fixed, default: usual, ...schema }: Schema) =>
  [example, examples?.[0], fixed, usual, schema.enum?.[0], schema['x-known-values']?.[0]]
    .filter((value) => value !== undefined)
    .slice(0, 1);

/** Returns a valid value: an example of the schema, or else a value of its type. */
const exampleOfSchema = (document: object, reference: Schema): unknown => {
  const schema = resolveReference<Schema>(document, reference as Schema | Reference);
  const given = findGivenValue(schema);
  if (given.length > 0) return structuredClone(given[0]);
  const { allOf, items, properties } = schema;
  const inner = (part: Schema) => exampleOfSchema(document, part);
  if (allOf) {
    const parts = [...allOf, ...(properties ? [{ properties }] : [])].map((part) => inner(part));
    return parts.every((part) => typeof part === 'object') ? Object.assign({}, ...parts) : parts[0];
  }
  const [alternative] = schema.oneOf ?? schema.anyOf ?? [];
  if (alternative) return inner(alternative);
  if (items) return [inner(items)];
  const isUsual = (part: Schema) =>
    !resolveReference<Schema>(document, part as Schema | Reference)['x-unusual'];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([, part]) => isUsual(part))
        .map(([name, part]) => [name, inner(part)]),
    );
  return [schema.type].flat().includes('object') ? {} : scalarFor(schema);
};

/** Lists the named examples of a media type. An unnamed one is called `default`. */
const listExamples = (document: object, media: MediaType): [name: string, value: unknown][] => {
  if (media.example !== undefined) return [['default', media.example]];
  return Object.entries(media.examples ?? {}).map(([name, example]) => [
    name,
    resolveReference<{ value?: unknown }>(document, example).value,
  ]);
};

/** Returns the first example of a media type, or else one of its schema. */
export const exampleOfMedia = (document: object, media: MediaType): unknown => {
  const [first] = listExamples(document, media);
  if (first) return structuredClone(first[1]);
  return media.schema ? exampleOfSchema(document, media.schema) : undefined;
};
