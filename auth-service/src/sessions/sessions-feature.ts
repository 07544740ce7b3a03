import { createTokenVerifier } from '@platform/shared/tokens/tokens';
import type { Base } from '../infrastructure.ts';
import { createCallerService } from './callers-service.ts';
import { createRefreshMetrics } from './refresh-metrics-adapter.ts';
import { sessionRoutes } from './sessions-routes.ts';
import { createSessionService, type SessionStores } from './sessions-service.ts';
import { createAccessCheckStore } from './token-records-store.ts';
import { createTokenIssuer } from './tokens.ts';

type Config = { reuseLeewaySeconds: number; sessionMaxAgeSeconds: number | undefined };

export const createSessionsFeature = (base: Base<SessionStores, Config>) => {
  const { config, database, keys } = base;
  const metrics = createRefreshMetrics(base.metrics);
  const tokens = createTokenIssuer(keys);
  const accessChecks = createAccessCheckStore(database, config.sessionMaxAgeSeconds);
  const verifyAccessToken = createTokenVerifier();
  const sessions = createSessionService({ ...base, tokens });
  return {
    callers: createCallerService({ ...base, accessChecks, verifyAccessToken }),
    metrics,
    tokens,
    routes: sessionRoutes(sessions, metrics),
  };
};

export type SessionsFeature = ReturnType<typeof createSessionsFeature>;
