import { AppError } from '@platform/shared/errors/app-error';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';
import type { Security } from '../security.ts';
import type { PresentedToken } from './session.ts';
import type { SessionService } from './sessions-service.ts';

const SIGN_INS = ['success', 'failure', 'throttled', 'blocked', 'refused', 'error'] as const;
const REFRESHES = ['rotated', 'superseded', 'reused', 'invalid', 'blocked', 'error'] as const;

type SignIn = (typeof SIGN_INS)[number];
type Refresh = (typeof REFRESHES)[number];

/** Any other code is a fault or an overload of ours: error. */
const SIGN_IN_CODES: Readonly<Record<string, SignIn>> = {
  INVALID_CREDENTIALS: 'failure',
  RATE_LIMITED: 'throttled',
  USER_BLOCKED: 'blocked',
  DOMAIN_NOT_ALLOWED: 'refused',
  PLATFORM_ROLE_INVALID: 'refused',
};
const REFRESH_CODES: Readonly<Record<string, Refresh>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : '');

/** Counts how each sign-in and each refresh ends, beside the code that decides it. */
export const createSessionOutcomes = (metrics: Metrics) => {
  const countSignIn = metrics.counter('sign_ins_total', 'Sign-ins by how they ended', {
    kind: KIND_NAMES,
    outcome: SIGN_INS,
  });
  const countRefresh = metrics.counter('token_refreshes_total', 'Refreshes of tokens by how they ended', {
    kind: KIND_NAMES,
    outcome: REFRESHES,
  });
  // A token is looked up at several places on its way, one within the other.
  const counted = new WeakSet<object>();
  const refused = (kind: Kind, error: object): never => {
    if (!counted.has(error)) countRefresh({ kind, outcome: REFRESH_CODES[codeOf(error)] ?? 'error' });
    counted.add(error);
    throw error;
  };

  return {
    countSessions: (sessions: SessionService): SessionService => ({
      ...sessions,
      signIn: async (kind, credentials, device) => {
        try {
          const signedIn = await sessions.signIn(kind, credentials, device);
          countSignIn({ kind, outcome: 'success' });
          return signedIn;
        } catch (error) {
          countSignIn({ kind, outcome: SIGN_IN_CODES[codeOf(error)] ?? 'error' });
          throw error;
        }
      },
      findRefreshCaller: (kind, claims, origin) =>
        sessions.findRefreshCaller(kind, claims, origin).catch((error) => refused(kind, error)),
      refresh: async (token, presented) => {
        const { kind } = token;
        const pair = await sessions.refresh(token, presented).catch((error) => refused(kind, error));
        countRefresh({ kind, outcome: 'rotated' });
        return pair;
      },
    }),
    /** A token that was not signed here goes no further than its security handler. */
    countRefusals: (security: Security): Security => {
      const counting =
        (kind: Kind, handler: SecurityHandler<PresentedToken>): typeof handler =>
        (req, res) =>
          handler(req, res).catch((error) => refused(kind, error));
      return {
        ...security,
        customerRefresh: counting('customer', security.customerRefresh),
        employeeRefresh: counting('employee', security.employeeRefresh),
        administratorRefresh: counting('administrator', security.administratorRefresh),
      };
    },
  };
};
