import type { AuditLog } from '@platform/shared/audit/audit-log';
import { AppError, forbidden, tokenInvalid, unavailable } from '@platform/shared/errors/app-error';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import { toRequestContext } from '@platform/shared/http/operation-router';
import { logCaller } from '@platform/shared/http/request-logging';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import express, { type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { AdminOperations } from '../operations.ts';
import { type AdminCaller, requireWorkspace } from '../workspaces/workspace.ts';
import type { QueueBoard } from './bull-board.ts';
import { QUEUES_PATH, type QueueSession } from './queue-session.ts';

type Dependencies = {
  access: SecurityHandler<AdminCaller>;
  readSession: QueueSession['read'];
  checkPageAccess: (claims: TokenClaims) => Promise<AdminCaller>;
  audit: Pick<AuditLog, 'add'>;
  /** Undefined where the process was given no Redis. */
  openBoard: ((trustProxy: unknown) => Promise<QueueBoard>) | undefined;
};

const QUEUE = '/api/queues/(?<queue>[\\w-]+)';
/** What may be done: give a failed mail another try, and clear away what is over. All else is for whoever has Redis. */
const CHANGES: readonly [change: string, path: RegExp][] = [
  ['retry', new RegExp(`^${QUEUE}/retry/(?<target>failed)$`)],
  ['clean', new RegExp(`^${QUEUE}/clean/(?<target>failed|completed)$`)],
  ['retry', new RegExp(`^${QUEUE}/(?<target>[\\w-]+)/retry$`)],
  ['clean', new RegExp(`^${QUEUE}/(?<target>[\\w-]+)/clean$`)],
];

const headers = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // The page has a style element and style attributes, and draws some icons from data: URLs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

const isSafe = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** SameSite=Strict keeps other sites out; this, the other origins of our own site, too (OWASP, CSRF). */
const requireOwnOrigin = (req: Request): void => {
  const origin = URL.parse(req.get('Origin') ?? '');
  if (origin?.host !== req.host)
    throw forbidden('WORKSPACE_FORBIDDEN', 'The request comes from another origin');
};

const findChange = (req: Request) => {
  const paths = req.method === 'PUT' ? CHANGES : [];
  for (const [change, path] of paths) {
    const { queue, target } = path.exec(req.path)?.groups ?? {};
    if (queue !== undefined && target !== undefined) return { change, queue, target };
  }
  throw new AppError('METHOD_NOT_ALLOWED', 405, 'This cannot be done here', { headers: { Allow: 'GET' } });
};

/** The queues, for administrators alone: with an access token, or in a browser with the cookie that it was changed for. */
export const queuePages = (dependencies: Dependencies): Router => {
  const { access, readSession, checkPageAccess, audit, openBoard } = dependencies;

  const findByCookie = async (req: Request): Promise<AdminCaller> => {
    const claims = readSession(req.headers.cookie);
    if (!claims) throw tokenInvalid();
    const caller = await checkPageAccess(claims);
    if (!isSafe(req)) requireOwnOrigin(req);
    return caller;
  };

  const judge: RequestHandler = async (req, res, next) => {
    const isBearer = req.headers.authorization !== undefined;
    const caller = isBearer ? await access(req, res) : await findByCookie(req);
    logCaller(res, caller);
    requireWorkspace(caller, 'ADMIN');
    res.locals['caller'] = caller;
    next();
  };

  /** Written down before it is done: a change that nobody could account for is worse than a record of none. */
  const record: RequestHandler = async (req, res, next) => {
    if (isSafe(req)) return next();
    const { change, queue, target } = findChange(req);
    const { account }: AdminCaller = res.locals['caller'];
    await audit.add({
      ...toRequestContext(req),
      action: 'QUEUE_CHANGED',
      actorId: account.userId,
      targetType: 'QUEUE',
      targetId: queue,
      details: { change, target },
    });
    next();
  };

  const show: RequestHandler = async (req, res, next) => {
    if (!openBoard) throw unavailable('The queues cannot be shown: REDIS_URL is not set');
    const board = await openBoard(req.app.get('trust proxy'));
    await board.show(req, res, next);
  };

  const pages = express.Router();
  // That is an operation of the contract.
  pages.post('/session', (_req, _res, next) => next('router'));
  pages.use(headers, judge, record, show);
  return express.Router().use(QUEUES_PATH, pages);
};

type Options = { open: QueueSession['open']; hasQueues: boolean };

export const queueRoutes = ({ open, hasQueues }: Options): Pick<AdminOperations, 'openQueues'> => ({
  openQueues: ({ caller }) => {
    if (!hasQueues) throw unavailable('The queues cannot be shown: REDIS_URL is not set');
    return { status: 204, cookies: [open(caller)] };
  },
});
