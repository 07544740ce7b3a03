/** The parts of an OpenAPI 3.1 document that the comparison reads. */
export type Schema = { [keyword: string]: unknown };
export type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
export type Content = { [mediaType: string]: { schema?: Schema } };
export type Body = { required?: boolean; content?: Content };
export type ResponseObject = { content?: Content; headers?: { [name: string]: { schema?: Schema } } };
export type Requirement = { [scheme: string]: string[] };
export type Operation = {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses?: { [status: string]: ResponseObject };
  security?: Requirement[];
};
export type Contract = {
  info: { version: string };
  servers?: unknown;
  security?: Requirement[];
  paths: { [path: string]: { [method: string]: Operation } & { parameters?: Parameter[] } };
};

/** Resolves a `$ref`, or returns the value itself. */
export type Resolve = <Part>(part: Part) => Part;

export const createResolver = (document: Contract): Resolve => {
  const resolve: Resolve = (part) => {
    const reference = (part as { $ref?: string } | undefined)?.$ref;
    if (reference === undefined) return part;
    const keys = reference.split('/').slice(1);
    let found: unknown = document;
    for (const key of keys) found = (found as Record<string, unknown> | undefined)?.[key];
    if (found === undefined) throw new Error(`${reference} cannot be resolved`);
    return resolve(found as typeof part);
  };
  return resolve;
};

/** Requests that were valid must stay valid; responses must keep what the released contract guarantees. */
export type Direction = 'request' | 'response';

export type SchemaComparison = {
  direction: Direction;
  before: Resolve;
  after: Resolve;
  /** Called for each breaking change with its location in the value. */
  report: (where: string, change: string) => void;
};

/** The values that a schema allows, if it lists them. */
export const getValues = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);
