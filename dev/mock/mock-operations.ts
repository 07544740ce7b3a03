import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { exampleOfMedia, exampleOfSchema, listExamples } from '@platform/shared/http/schema-example';
import { getMedia, listAlternatives, listMockOperations, type MockOperation } from './mock-document.ts';
import { findRefreshCookies } from './mock-security.ts';
import { createSessionHandlers, type MockRequest, type MockResponse } from './mock-session-handlers.ts';
import type { Json, Kind, MockSession, MockSessions } from './mock-sessions.ts';

type Handler = (request: MockRequest) => MockResponse;

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
  const candidates = [
    ...listExamples(document, media).map(([, value]) => value),
    ...listAlternatives(document, media).map((schema) => exampleOfSchema(document, schema)),
  ].filter(isObject);
  const usual = exampleOfMedia(document, media) as Json;
  return (kind: Kind | undefined): Json => candidates.find((body) => body['kind'] === kind) ?? usual;
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
    const isAboutCaller = /(?:Me|ReadSession)$|^currentAdministrator$/.test(operationId);
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
