import { AppError, forbidden, unauthorized, unavailable } from '@platform/shared/errors/app-error';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import { toRequestContext } from '@platform/shared/http/request-context';
import type { Log } from '@platform/shared/log/log';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { SecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { logCaller } from '@platform/shared/platform/access/caller';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import express, { type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { type AdminCaller, requireWorkspace } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { QueueBoard } from './bull-board-adapter.ts';
import { QUEUES_PATH, type QueueSession } from './queue-session-adapter.ts';

type Dependencies = {
  authenticateBearer: SecurityHandler<AdminCaller>;
  verifyCookie: QueueSession['verifyCookie'];
  checkDashboardAccess: (claims: TokenClaims) => Promise<AdminCaller>;
  requireSecondFactor: SecondFactorRequirement;
  auditLog: Pick<AuditLog, 'add'>;
  loader: ReturnType<typeof createQueueBoardLoader>;
};

const QUEUE = '/api/queues/(?<queue>[\\w-]+)';
/** The allowed changes: retry failed jobs and delete finished ones. Other changes need access to Redis. */
const ALLOWED_CHANGES: readonly [change: string, path: RegExp][] = [
  ['retry', new RegExp(`^${QUEUE}/retry/(?<target>failed)$`)],
  ['clean', new RegExp(`^${QUEUE}/clean/(?<target>failed|completed)$`)],
  ['retry', new RegExp(`^${QUEUE}/(?<target>[\\w-]+)/retry$`)],
  ['clean', new RegExp(`^${QUEUE}/(?<target>[\\w-]+)/clean$`)],
];

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The page has inline styles and icons from data: URLs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

const isReadOnly = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** SameSite=Strict excludes other sites, but not other origins of the same site (OWASP, CSRF). */
const requireSameOrigin = (req: Request): void => {
  const origin = URL.parse(req.get('Origin') ?? '');
  if (origin?.host !== req.host)
    throw forbidden('WORKSPACE_FORBIDDEN', 'The request comes from another origin');
};

const parseChange = (req: Request) => {
  const paths = req.method === 'PUT' ? ALLOWED_CHANGES : [];
  for (const [change, path] of paths) {
    const { queue, target } = path.exec(req.path)?.groups ?? {};
    if (queue !== undefined && target !== undefined) return { change, queue, target };
  }
  throw new AppError('METHOD_NOT_ALLOWED', 405, 'The queue dashboard does not allow this change', {
    headers: { Allow: 'GET' },
  });
};

/** Only the dashboard needs Redis and bull-board, so the first request to it loads them and connects. */
export const createQueueBoardLoader = (redisUrl: string | undefined, log: Log) => {
  let board: Promise<QueueBoard> | undefined;
  const onError = createErrorLog(log, 'redis connection lost');
  const create = async (url: string, trustProxy: unknown): Promise<QueueBoard> => {
    const { createQueueBoard } = await import('./bull-board-adapter.ts');
    return createQueueBoard({ redisUrl: url, path: QUEUES_PATH, trustProxy, onError });
  };
  const load = (url: string) => (trustProxy: unknown) => {
    board ??= create(url, trustProxy);
    return board;
  };
  return {
    load: redisUrl === undefined ? undefined : load(redisUrl),
    close: async (): Promise<void> => (await board)?.close(),
  };
};

const notConfigured = () => unavailable('The queue dashboard is disabled: REDIS_URL is not set');

/** Shown in a browser, which does not parse the code. */
const queuesClosed = () =>
  unauthorized(
    'TOKEN_INVALID',
    'An ADMIN opens the dashboard for 15 minutes by POST /api/v1/administrator/queues/session; in development, the start page does',
  );

/** Only administrators may open the dashboard, with an access token or with the cookie of POST /session. */
export const createQueueDashboard = (dependencies: Dependencies): Router => {
  const { authenticateBearer, verifyCookie, checkDashboardAccess, requireSecondFactor } = dependencies;
  const { auditLog, loader } = dependencies;

  const authenticateCookie = async (req: Request): Promise<AdminCaller> => {
    const claims = verifyCookie(req.headers.cookie);
    if (!claims) throw queuesClosed();
    const caller = await checkDashboardAccess(claims);
    if (!isReadOnly(req)) requireSameOrigin(req);
    return caller;
  };

  const authenticate = async (req: Request): Promise<AdminCaller> => {
    const isBearer = req.headers.authorization !== undefined;
    const caller = isBearer ? await authenticateBearer(req) : await authenticateCookie(req);
    logCaller(req, caller);
    requireWorkspace(caller, 'ADMIN');
    requireSecondFactor(caller);
    return caller;
  };

  /**
   * The record is written before the change: an audit record of a failed change is better than a change
   * without a record.
   */
  const audit = async (req: Request, { account }: AdminCaller): Promise<void> => {
    const { change, queue, target } = parseChange(req);
    await auditLog.add({
      ...toRequestContext(req),
      action: 'QUEUE_CHANGED',
      actorId: account.userId,
      targetType: 'QUEUE',
      targetId: queue,
      details: { change, target },
    });
  };

  const handle: RequestHandler = async (req, res, next) => {
    const caller = await authenticate(req);
    if (!isReadOnly(req)) await audit(req, caller);
    if (!loader.load) throw notConfigured();
    const board = await loader.load(req.app.get('trust proxy'));
    await board.handle(req, res, next);
  };

  const router = express.Router();
  // The operation router serves POST /session.
  router.post('/session', (_req, _res, next) => next('router'));
  router.use(securityHeaders, handle);
  return express.Router().use(QUEUES_PATH, router);
};

type RouteDependencies = { createCookie: QueueSession['createCookie']; isConfigured: boolean };

export const queueRoutes = ({
  createCookie,
  isConfigured,
}: RouteDependencies): Pick<AdminOperations, 'openQueues'> => ({
  openQueues: ({ caller }) => {
    if (!isConfigured) throw notConfigured();
    return { status: 204, cookies: [createCookie(caller)] };
  },
});
