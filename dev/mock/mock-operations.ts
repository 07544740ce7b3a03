import { randomUUID } from 'node:crypto';
import { exampleOfMedia, exampleOfSchema, listExamples } from '@platform/openapi/schema-example';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import type { CookieChange } from '@platform/shared/http/operations';
import { getMedia, listAlternatives, listMockOperations, type MockOperation } from './mock-document.ts';
import { findRefreshCookies } from './mock-security.ts';
import {
  type Json,
  type Kind,
  type MockSession,
  type MockSessions,
  REFRESH_SECONDS,
} from './mock-sessions.ts';

type MockRequest = {
  path: Record<string, string>;
  query: Json;
  headers: Record<string, string>;
  body: Json | undefined;
  caller: MockSession | undefined;
};
type MockResponse = { status: number; body?: unknown; cookies?: CookieChange[] };
type Handler = (request: MockRequest) => MockResponse;

// Without Secure, so that every browser stores it from http://localhost; other ports of the host are the same site.
const COOKIE = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the fields of the example, at any depth, that have one of the names. */
const withValues = (example: Json, values: Json): Json =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (isObject(value)) return [name, withValues(value, values)];
      return [name, values[name] ?? value];
    }),
  );

/** What the caller has sent: the fields of the body, the page, and the id of the path. */
const withRequest = (example: Json, { path, query, body }: MockRequest): Json => {
  const [id] = Object.values(path);
  const sent = withValues(example, { page: query['page'], perPage: query['perPage'], ...body });
  return 'id' in sent && id !== undefined ? { ...sent, id } : sent;
};

/** The response of an operation about the caller. */
const withCaller = (example: Json, { user, session }: MockSession): Json => {
  const known: Json = { userId: user['id'], ...user, user, session };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, known[name] ?? value]));
};

const findSuccess = ({ responses }: MockOperation): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')) ?? 204);

/** The example of the kind, where the response depends on it. */
const createExamples = (document: OpenApiDocument, operation: MockOperation) => {
  const media = getMedia(operation.responses[findSuccess(operation)]);
  if (!media) return () => undefined;
  const { operationId } = operation;
  const candidates = [
    ...listExamples(document, media).map(([, value]) => value),
    ...listAlternatives(document, media).map((schema) => exampleOfSchema(document, schema, operationId)),
  ].filter(isObject);
  const usual = exampleOfMedia(document, media, operationId) as Json;
  return (kind: Kind | undefined): Json => candidates.find((body) => body['kind'] === kind) ?? usual;
};

const toUser = (kind: Kind, example: unknown, email: unknown): Json => {
  const user: Json = { ...(example as Json), email };
  if (kind !== 'administrator') return user;
  const [role = 'ADMIN'] = /^(?:operator|arbiter)(?=@)/.exec(String(email)) ?? [];
  return { ...user, roles: [role.toUpperCase()], platformRole: role.toUpperCase() };
};

const openSession = (userId: unknown, fingerprint: string | undefined): Json => {
  const now = new Date().toISOString();
  return { id: randomUUID(), userId, fingerprint, ip: '127.0.0.1', createdAt: now, updatedAt: now };
};

/** The operations that change the session, by the end of their ids. */
const createSessionHandlers = (sessions: MockSessions, cookies: Partial<Record<Kind, string>>) => {
  const toCookie = (kind: Kind, value?: string): CookieChange[] => {
    const options = value === undefined ? COOKIE : { ...COOKIE, maxAge: REFRESH_SECONDS * 1_000 };
    return [{ name: cookies[kind] ?? '', options, ...(value !== undefined && { value }) }];
  };
  return {
    SignIn: (kind: Kind, example: Json, { body = {}, headers }: MockRequest): MockResponse => {
      const user = toUser(kind, example['user'], body['email']);
      const session = openSession(user['id'], headers['X-Fingerprint']);
      const { accessToken: token, refreshToken } = sessions.open(kind, user, session);
      return {
        status: 200,
        body: { ...example, token, session, user },
        cookies: toCookie(kind, refreshToken),
      };
    },
    RefreshToken: (kind: Kind, example: Json, { caller }: MockRequest): MockResponse => {
      if (!caller) throw new Error('A refresh needs a refresh token');
      const { accessToken: token, refreshToken } = sessions.issueTokens(caller);
      return { status: 200, body: { ...example, token }, cookies: toCookie(kind, refreshToken) };
    },
    SignOut: (kind: Kind, _example: Json, { caller }: MockRequest): MockResponse => {
      if (caller) sessions.end(caller);
      return { status: 204, cookies: toCookie(kind) };
    },
    VerificationEmailCodeCheck: (_kind: Kind, example: Json, { caller }: MockRequest): MockResponse => {
      if (caller) caller.user = { ...caller.user, isEmailVerified: true };
      return { status: 200, body: { ...example, verified: true } };
    },
    VerificationEmailCheck: (_kind: Kind, example: Json, { caller }: MockRequest): MockResponse => ({
      status: 200,
      body: { ...example, verified: caller?.user['isEmailVerified'] === true },
    }),
  };
};

/** A handler for each operation of the document: its example with the values of the request and the caller. */
export const createMockOperations = (document: OpenApiDocument, sessions: MockSessions) => {
  const sessionHandlers = Object.entries(createSessionHandlers(sessions, findRefreshCookies(document)));
  const toHandler = (operation: MockOperation): Handler => {
    const { operationId } = operation;
    const getExample = createExamples(document, operation);
    const [kind] = (/^(?:customer|employee|administrator)/.exec(operationId) ?? []) as [Kind?];
    const [, handle] = sessionHandlers.find(([suffix]) => `${kind}${suffix}` === operationId) ?? [];
    if (kind && handle) return (request) => handle(kind, getExample(kind) ?? {}, request);
    const isAboutCaller = /[mM]e$|^currentAdministrator$/.test(operationId);
    return (request) => {
      const example = getExample(kind ?? request.caller?.kind);
      const status = findSuccess(operation);
      if (!example) return { status };
      const { caller } = request;
      return {
        status,
        body: isAboutCaller && caller ? withCaller(example, caller) : withRequest(example, request),
      };
    };
  };
  return Object.fromEntries(
    listMockOperations(document).map((operation) => [operation.operationId, toHandler(operation)]),
  );
};
