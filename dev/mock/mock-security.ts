import { forbidden } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import { parseBearerToken } from '@platform/shared/tokens/tokens';
import type { RequestHandler } from 'express';
import type { Kind, MockSession, MockSessions } from './mock-sessions.ts';

type Scheme = { type: string; name?: string };

const KINDS: readonly Kind[] = ['customer', 'employee', 'administrator'];

/** `customerRefresh` → customer; `jwt-admin-access` → administrator; `universalAccess` → every kind. */
const kindsOf = (scheme: string): readonly Kind[] => {
  const kind = KINDS.find((name) => scheme.startsWith(name));
  if (kind) return [kind];
  return scheme.startsWith('universal') ? KINDS : ['administrator'];
};

const listSchemes = (document: OpenApiDocument): [name: string, scheme: Scheme][] =>
  Object.entries(document.components['securitySchemes'] ?? {}) as [string, Scheme][];

const isRefresh = (scheme: string): boolean => scheme.endsWith('Refresh');

/** The name of the refresh cookie of each kind. */
export const findRefreshCookies = (document: OpenApiDocument): Partial<Record<Kind, string>> =>
  Object.fromEntries(
    listSchemes(document)
      .filter(([, { type }]) => type === 'apiKey')
      .map(([name, scheme]) => [kindsOf(name)[0], scheme.name]),
  );

/** A handler for each security scheme of the document; the schemes for the places of one token share one handler. */
export const createMockSecurity = (document: OpenApiDocument, sessions: MockSessions) => {
  const cookies = findRefreshCookies(document);
  const createHandler = (scheme: string): SecurityHandler<MockSession | undefined> => {
    const kinds = kindsOf(scheme);
    const type = isRefresh(scheme) ? 'refreshTokenId' : 'accessTokenId';
    const cookieName = isRefresh(scheme) && kinds[0] ? cookies[kinds[0]] : undefined;
    return async (req) => {
      // The first administrator registers without a token.
      if (scheme.endsWith('Registration') && req.headers.authorization === undefined) return undefined;
      const cookie: unknown = cookieName && req.cookies[cookieName];
      const bearer = parseBearerToken(req.headers.authorization);
      return sessions.find(typeof cookie === 'string' ? cookie : bearer, type, kinds);
    };
  };
  const handlers: Record<string, SecurityHandler<MockSession | undefined>> = {};
  for (const [name] of listSchemes(document)) {
    const shared = name.replace(/Bearer$/, '');
    handlers[shared] ??= createHandler(shared);
    handlers[name] = handlers[shared];
  }
  return handlers;
};

/** The security requirement of a back-office operation names the platform role. */
export const requireRole: RequestHandler = (req, res, next) => {
  const [role] = Object.values(req.openapi?.schema?.security?.[0] ?? {}).flat();
  const caller: MockSession | undefined = res.locals['caller'];
  if (role !== undefined && caller && caller.user['platformRole'] !== role)
    throw forbidden('WORKSPACE_FORBIDDEN', 'This workspace is not open to your platform role');
  next();
};
