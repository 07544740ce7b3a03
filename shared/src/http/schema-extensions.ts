import type { OpenApiDocument } from './openapi-document.ts';

/** A format of the validator. */
type Format = { type: 'string'; validate: (text: string) => boolean };

/** Limits that JSON Schema cannot express, declared as vendor extensions of a string schema. */
type ExtendedSchema = {
  /** The maximum in bytes of UTF-8; `maxLength` counts characters. */
  'x-max-bytes'?: number;
  /** `maxLength` applies to the value without surrounding white space. */
  'x-trim'?: boolean;
  maxLength?: number;
};

const toFormat = (schema: ExtendedSchema): { name: string; format: Format } | undefined => {
  const { 'x-max-bytes': maxBytes, 'x-trim': trims, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (maxBytes !== undefined)
    return {
      name: `at most ${maxBytes} bytes`,
      format: { type: 'string', validate: (text) => Buffer.byteLength(text) <= maxBytes },
    };
  if (trims)
    return {
      name: `at most ${maxLength} characters`,
      format: { type: 'string', validate: (text) => [...text.trim()].length <= maxLength },
    };
  return undefined;
};

/** A copy of the document in which each of these extensions is a format, for a validator that knows no others. */
export const replaceSchemaExtensions = (
  document: OpenApiDocument,
): { document: OpenApiDocument; formats: Record<string, Format> } => {
  const formats: Record<string, Format> = {};
  const replace = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const found = toFormat(value);
    if (!found) return value;
    formats[found.name] = found.format;
    const { maxLength, ...rest } = value as ExtendedSchema;
    return { ...rest, ...('x-max-bytes' in value && { maxLength }), format: found.name };
  };
  return { document: JSON.parse(JSON.stringify(document), replace) as OpenApiDocument, formats };
};
