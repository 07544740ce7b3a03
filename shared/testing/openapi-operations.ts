import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { loadPlatformDocument } from '../src/openapi/join-documents.ts';
import {
  getBasePath,
  loadOpenApiDocument,
  type OpenApiDocument,
  toPublished,
} from '../src/openapi/openapi-document.ts';
import { exampleOfMedia, type MediaType } from '../src/openapi/schema-example.ts';
import { toStrict } from '../src/openapi/strict-document.ts';

export type Schema = {
  type?: string;
  format?: string;
  enum?: string[];
  const?: unknown;
  example?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  'x-trim'?: boolean;
  'x-text'?: 'one-line' | 'multi-line';
  minimum?: number;
  maximum?: number;
  required?: string[];
  additionalProperties?: boolean;
  'x-known-values'?: string[];
  'x-known-pattern'?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minItems?: number;
  maxItems?: number;
};
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
};
type Content = { schema: Schema; example?: unknown };
type DocumentedResponse = {
  description?: string;
  headers?: Record<string, { required?: boolean; schema: Schema }>;
  content?: { 'application/json': Content };
};

/** An operation of an OpenAPI document, without references. */
type OperationObject = {
  operationId: string;
  /** The name of the handler, if the kinds of accounts share it. Published documents lack it. */
  'x-operation'?: string;
  'x-recent-proof'?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  security?: Record<string, string[]>[];
  responses: Record<string, DocumentedResponse>;
};

export type Operation = {
  /** A unique name, such as `admin/blockUser`. */
  name: string;
  id: string;
  /** The name of the handler, such as `signIn` for `customerSignIn`. */
  handler: string;
  method: string;
  /** The path template, such as `/api/v1/users/{id}`. */
  template: string;
  parameters: readonly Parameter[];
  /** `type` is the media type of JSON or of a form. */
  body: { type: string; schema: Schema; example: unknown; isRequired: boolean } | undefined;
  /** The scheme of the security requirement. admin.yaml also names the platform role. */
  scheme: string | undefined;
  role: string | undefined;
  needsRecentProof: boolean;
  responses: OperationObject['responses'];
};

const FORMATS = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
  password: true,
} as const;

const MAX_ERRORS = 3;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, formats: FORMATS });

/**
 * The paths without `$ref`. Each schema is resolved once, so that ajv compiles it once for all operations.
 */
const dereferencePaths = (document: OpenApiDocument) => {
  const resolved = new Map<string, unknown>();
  const find = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref } = node as { $ref?: string };
    if ($ref === undefined)
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    if (!resolved.has($ref)) resolved.set($ref, visit(find($ref)));
    return resolved.get($ref);
  };
  return visit(document.paths) as Record<string, Record<string, OperationObject>>;
};

const toOperation = (name: string, template: string, method: string, node: OperationObject): Operation => {
  const { operationId: id, parameters = [], requestBody, security = [], responses } = node;
  const [scheme, roles] = Object.entries(security[0] ?? {})[0] ?? [];
  const [content] = Object.entries(requestBody?.content ?? {});
  const body = content && {
    type: content[0],
    schema: content[1].schema,
    example: exampleOfMedia({}, content[1] as MediaType),
    isRequired: requestBody?.required === true,
  };
  const request = { method: method.toUpperCase(), template, parameters, body };
  const handler = node['x-operation'] ?? id;
  const needsRecentProof = node['x-recent-proof'] === true;
  const access = { scheme, role: roles?.[0], needsRecentProof };
  return { name: `${name}/${id}`, id, handler, ...request, ...access, responses };
};

/** Lists every operation of an OpenAPI document. @param name the first part of the operations' names */
export const listOperations = (name: string, document: OpenApiDocument): Operation[] =>
  Object.entries(dereferencePaths(document)).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, node]) => 'operationId' in node)
      .map(([method, node]) => toOperation(name, getBasePath(document) + path, method, node)),
  );

const DOCUMENTS = {
  auth: () => import.meta.resolve('@platform/openapi/auth.yaml'),
  admin: () => import.meta.resolve('@platform/openapi/admin.yaml'),
};
export const CONTRACTS = ['auth', 'admin'] as const;

/** Loads one of the public OpenAPI documents of this checkout, as the services publish it. */
export const loadContract = async (name: (typeof CONTRACTS)[number]): Promise<OpenApiDocument> =>
  toPublished(await loadOpenApiDocument(new URL(DOCUMENTS[name]())));

/** Loads every operation of the public OpenAPI documents of this checkout, in the strict form. */
export const loadOperations = async (): Promise<Operation[]> => {
  const load = async (name: (typeof CONTRACTS)[number]) =>
    listOperations(name, toStrict(await loadOpenApiDocument(new URL(DOCUMENTS[name]()))));
  return (await Promise.all(CONTRACTS.map(load))).flat();
};

/** Loads the joined document of this checkout, as the gateway serves it. */
export const loadPlatform = (): Promise<OpenApiDocument> =>
  loadPlatformDocument(new URL(DOCUMENTS.auth()), new URL(DOCUMENTS.admin()));

/** Loads every operation of this checkout as it is published, with open responses. */
export const loadPublishedOperations = async (): Promise<Operation[]> => {
  const internal = new URL(import.meta.resolve('@platform/openapi/internal.yaml'));
  return [
    ...listOperations('platform', await loadPlatform()),
    ...listOperations('internal', await loadOpenApiDocument(internal)),
  ];
};

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`);

/** Finds the operation of a request by method and path. `/users/me` takes precedence over `/users/{id}`. */
export const createOperationFinder = (operations: readonly Operation[]) => {
  const isGeneric = ({ template }: Operation) => Number(template.includes('{'));
  const routes = operations
    .toSorted((one, other) => isGeneric(one) - isGeneric(other))
    .map((operation) => ({ operation, pattern: toPattern(operation.template) }));
  return ({ method, path }: { method: string; path: string }): Operation | undefined =>
    routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;
};

/** Returns text such as `/user/email must be string (schema #/properties/user/properties/email/type)`. */
const formatError = ({ instancePath, message, params, schemaPath }: ErrorObject): string => {
  const { additionalProperty } = params as { additionalProperty?: string };
  const property = additionalProperty === undefined ? '' : `: ${additionalProperty}`;
  return `${instancePath || 'the body'} ${message}${property} (schema ${schemaPath})`;
};

/** Returns the errors of a value, or undefined if it is valid. */
export const validateValue = (schema: Schema, value: unknown): string | undefined => {
  const validate = ajv.compile(schema);
  if (validate(value)) return undefined;
  return validate.errors?.slice(0, MAX_ERRORS).map(formatError).join(', ');
};

/** Finds what the document says about responses with this status. */
export const findResponse = ({ responses }: Operation, status: number): DocumentedResponse | undefined =>
  responses[status] ?? responses['default'];

/** Returns the errors of a response body, or undefined if it is valid. */
export const validateBody = (operation: Operation, status: number, body: unknown): string | undefined => {
  const schema = findResponse(operation, status)?.content?.['application/json']?.schema;
  if (schema) return validateValue(schema, body);
  return body === undefined ? undefined : 'has a body where none is documented';
};
