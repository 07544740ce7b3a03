import { loadOpenApiDocument, type OpenApiDocument } from '@platform/shared/http/openapi-document';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
};
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };

/** An operation of the contract, its references resolved. */
export type Operation = {
  id: string;
  method: string;
  /** `/api/v1/users/{id}` */
  template: string;
  parameters: Parameter[];
  body: { schema: Schema; isRequired: boolean } | undefined;
  /** The security scheme and, in the back-office, the role that it asks for. */
  scheme: string | undefined;
  role: string | undefined;
  /** `default` is not among them. */
  statuses: Set<number>;
  /** What is wrong with the body of an answer; undefined for nothing. */
  findFault: (status: number, body: unknown) => string | undefined;
};

type Node = Record<string, unknown>;

const METHODS = ['get', 'post', 'patch', 'delete'] as const;
const FORMATS = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  // Of requests alone; they are in the document, so they must have a meaning.
  search: true,
  instant: true,
  'new-password': true,
} as const;

/** Follows a reference within the document, as long as there is one. */
const follow = <Found>(document: OpenApiDocument, node: unknown): Found => {
  const reference = (node as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return node as Found;
  const keys = reference.slice(2).split('/');
  return follow(
    document,
    keys.reduce<unknown>((inner, key) => (inner as Node)[key], document),
  );
};

const resolveSchema = (document: OpenApiDocument, node: unknown): Schema => {
  const schema = follow<Schema>(document, node);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [name, resolveSchema(document, inner)] as const,
  );
  return { ...schema, ...(schema.properties && { properties: Object.fromEntries(properties) }) };
};

const pointerTo = (...keys: string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A validator for the body of each documented answer, `default` included; undefined where there is no body. */
const createFaultFinder = (
  ajv: Ajv2020,
  document: OpenApiDocument,
  name: string,
  path: string,
  method: string,
) => {
  const paths = document.paths as unknown as Record<string, Record<string, { responses: Node }>>;
  const responses = paths[path]?.[method]?.responses ?? {};
  const validators = new Map<string, ValidateFunction | undefined>();
  for (const [status, node] of Object.entries(responses)) {
    const reference = (node as { $ref?: string }).$ref;
    const place = reference?.slice(1) ?? pointerTo('paths', path, method, 'responses', status);
    const hasBody = 'content' in follow<Node>(document, node);
    const schema = `${name}#${place}${pointerTo('content', 'application/json', 'schema')}`;
    validators.set(status, hasBody ? ajv.compile({ $ref: encodeURI(schema) }) : undefined);
  }
  return (status: number, body: unknown): string | undefined => {
    const key = validators.has(String(status)) ? String(status) : 'default';
    const validate = validators.get(key);
    if (!validate) return body === undefined ? undefined : 'a body where none is documented';
    return validate(body) ? undefined : `${ajv.errorsText(validate.errors)} (as ${key})`;
  };
};

type Source = { document: OpenApiDocument; name: string; ajv: Ajv2020 };

const toOperation = (
  { document, name, ajv }: Source,
  path: string,
  method: string,
  node: Node,
): Operation => {
  const [security] = (node['security'] as Record<string, string[]>[] | undefined) ?? [];
  const [scheme, roles] = Object.entries(security ?? {})[0] ?? [];
  const parameters = ((node['parameters'] as unknown[]) ?? []).map((item) =>
    follow<Parameter>(document, item),
  );
  const body = follow<{ required?: boolean; content: Record<string, { schema: unknown }> } | undefined>(
    document,
    node['requestBody'],
  );
  const prefix = document.servers[0]?.url ?? '';
  return {
    id: String(node['operationId']),
    method: method.toUpperCase(),
    template: `${prefix}${path}`,
    parameters: parameters.map((item) => ({ ...item, schema: resolveSchema(document, item.schema) })),
    body: body && {
      schema: resolveSchema(document, body.content['application/json']?.schema),
      isRequired: body.required === true,
    },
    scheme,
    role: roles?.[0],
    statuses: new Set(
      Object.keys(node['responses'] as Node)
        .map(Number)
        .filter(Number.isInteger),
    ),
    findFault: createFaultFinder(ajv, document, name, path, method),
  };
};

/** Every operation of the two documents that clients read. */
export const loadContract = async (): Promise<Operation[]> => {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, formats: FORMATS });
  const operations: Operation[] = [];
  for (const name of ['auth', 'admin']) {
    const document = await loadOpenApiDocument(
      new URL(import.meta.resolve(`@platform/openapi/${name}.yaml`)),
    );
    ajv.addSchema({ ...document, $id: name });
    for (const [path, item] of Object.entries(document.paths))
      for (const method of METHODS) {
        const node = (item as Record<string, Node | undefined>)[method];
        if (node) operations.push(toOperation({ document, name, ajv }, path, method, node));
      }
  }
  return operations;
};
