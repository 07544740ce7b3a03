import {
  listOperations,
  loadOpenApiDocument,
  type OpenApiDocument,
  type Operation,
} from '../src/openapi/openapi-document.ts';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';

type QueryValue = string | number | boolean;
/** The values that a request may send, of which it sends those that the contract of its operation names. */
export type Call = {
  /** Sent as `X-Fingerprint`. */
  fingerprint?: string | undefined;
  /** Sent as `X-Session-Id`. */
  sessionId?: string | undefined;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  query?: Record<string, QueryValue | readonly QueryValue[]>;
  /** In addition to those of the contract, or in place of them; undefined ones are not sent. */
  headers?: Record<string, string | undefined>;
  /** Fields that are sent as a form. */
  form?: Record<string, string>;
  /** An object is sent as JSON, text and bytes unchanged. */
  body?: HttpRequest['body'];
};

type PathOf<Handled> = Handled extends { operation: { parameters: { path: infer Path } } }
  ? { [Name in keyof Path]: string }
  : unknown;

/** A method for each operation of a document, with the parameters of its path as fields of the call. */
export type ContractClient<Handled> = {
  [Name in keyof Handled]: unknown extends PathOf<Handled[Name]>
    ? (call?: Call) => Promise<HttpResponse>
    : (call: Call & PathOf<Handled[Name]>) => Promise<HttpResponse>;
};

type Scheme = { type: string; scheme?: string; name?: string };
type Contract = { operations: readonly Operation[]; schemes: Record<string, Scheme> };

const DOCUMENTS = {
  auth: () => import.meta.resolve('@platform/openapi/auth.yaml'),
  admin: () => import.meta.resolve('@platform/openapi/admin.yaml'),
  internal: () => import.meta.resolve('@platform/openapi/internal.yaml'),
  'test-bench': () => import.meta.resolve('@platform/openapi/test-bench.yaml'),
};

/** Reads a document of this checkout. */
export const readContract = async (name: keyof typeof DOCUMENTS): Promise<Contract> => {
  const document: OpenApiDocument = await loadOpenApiDocument(new URL(DOCUMENTS[name]()));
  const schemes = document.components['securitySchemes'] as Contract['schemes'];
  return { operations: listOperations(document), schemes };
};

/** The header of the first scheme that the operation accepts, if the call has its token. */
const toCredentials = ({ type, name }: Scheme, { accessToken, refreshToken }: Call) => ({
  ...(type === 'apiKey' && refreshToken !== undefined && { Cookie: `${name}=${refreshToken}` }),
  ...(type === 'http' && accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
});

const toQuery = (query: NonNullable<Call['query']>): string => {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) fields.append(name, String(each));
  return fields.size === 0 ? '' : `?${fields}`;
};

const toRequest = (operation: Operation, schemes: Contract['schemes'], call: Call): HttpRequest => {
  const { method, route, headerNames, security } = operation;
  const { fingerprint, sessionId, query = {}, headers, form, body } = call;
  const scheme = schemes[Object.keys(security[0] ?? {})[0] ?? ''];
  const ids = call as Record<string, unknown>;
  return {
    method: method.toUpperCase(),
    path: route.replace(/:(\w+)/g, (_, name: string) => String(ids[name])) + toQuery(query),
    headers: {
      ...(headerNames.includes('X-Fingerprint') && { 'X-Fingerprint': fingerprint }),
      ...(headerNames.includes('X-Session-Id') && { 'X-Session-Id': sessionId }),
      ...(scheme && toCredentials(scheme, call)),
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: form ? new URLSearchParams(form).toString() : body,
  };
};

/**
 * Creates a client whose methods are the operations of a contract.
 * @param own what every call contains, such as the access token of one user
 */
export const createContractClient = <Handled>(
  { operations, schemes }: Contract,
  send: HttpClient['send'],
  own: Call & { kind?: string } = {},
): ContractClient<Handled> => {
  const { kind, headers, ...common } = own;
  const offered = operations.filter((operation) => operation.kind === undefined || operation.kind === kind);
  const methods = offered.map((operation) => [
    operation.name,
    (call: Call = {}) =>
      send(toRequest(operation, schemes, { ...common, ...call, headers: { ...headers, ...call.headers } })),
  ]);
  return Object.fromEntries(methods);
};
