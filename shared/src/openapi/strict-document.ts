import type { OpenApiDocument } from './openapi-document.ts';

// The published schemas of responses are open, because a later release of the same major version may add fields
// and words: `x-known-values` and `x-known-pattern` list the words of this release. The services of this release
// send no others, so its tests judge them by the strict form.

type Schema = Record<string, unknown>;

const closeWords = ({ 'x-known-values': values, 'x-known-pattern': pattern, ...schema }: Schema): Schema => {
  const forms = [...(values ? [{ enum: values }] : []), ...(pattern ? [{ pattern }] : [])];
  return forms.length === 1 ? { ...schema, ...forms[0] } : { ...schema, anyOf: forms };
};

const closeSchema = (schema: Schema): Schema => {
  if ('properties' in schema && !('additionalProperties' in schema))
    return { ...schema, additionalProperties: false };
  return 'x-known-values' in schema || 'x-known-pattern' in schema ? closeWords(schema) : schema;
};

/**
 * Returns a copy that admits only the declared fields and the known words. The schemas of requests are closed
 * in any case, or their undeclared fields are dropped.
 */
export const toStrict = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? closeSchema(value as Schema)
      : value,
  );
