import { once } from 'node:events';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import {
  AppError,
  conflict,
  notFound,
  unavailable,
  validationFailed,
} from '@platform/shared/errors/app-error';
import { MAIL_QUEUE, MAINTENANCE_QUEUE } from '@platform/shared/mail/mail-queue';
import { connectRedis } from '@platform/shared/redis/redis';
import { Queue } from 'bullmq';
import type { RequestHandler } from 'express';

type Options = { redisUrl: string; path: string; trustProxy: unknown; onError: (error: Error) => void };

/** The one thing of another host that the page asks for. */
const FOREIGN = /<link[^>]+fonts\.googleapis\.com[^>]*>/;
const ADDRESS = /([^\s"'<>@\\])[^\s"'<>@\\]*(@[^\s"'<>@\\]+)/g;

/** Whom a mail is for is not needed to see why it waits: `ada@example.com` becomes `a…@example.com`, in reasons too. */
const maskAddresses = <Body>(body: Body): Body =>
  JSON.parse(JSON.stringify(body ?? null).replace(ADDRESS, '$1…$2')) as Body;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What tells one mail from another. Codes, sealed as they are, and what people wrote stay where they are. */
const describeMailJob = (data: unknown): unknown => {
  if (!isRecord(data)) return {};
  const { mail, requestId, traceparent, askedAt, inOutbox } = data;
  const { template, to, expiresAt } = isRecord(mail) ? mail : {};
  return { mail: { template, to, expiresAt }, requestId, traceparent, askedAt, inOutbox };
};

/** The error response of a dashboard route, whose body has another shape than the platform's, as an AppError. */
const toAppError = (status: number): AppError => {
  if (status === 404) return notFound('ROUTE_NOT_FOUND', 'There is no such queue or job');
  if (status === 409) return conflict('JOB_ACTIVE', 'The job is being processed; retry when it has ended');
  if (status < 500)
    return validationFailed('The queue cannot do this, or not in the state that the job is in');
  return unavailable('The queues cannot be read right now');
};

/** Whatever else fails in the dashboard is a malformed request, which Express gives a status, or Redis. */
const translate = (error: unknown): unknown => {
  if (error === undefined || error instanceof AppError) return error;
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' && status < 500
    ? validationFailed('The request is malformed')
    : unavailable('The queues cannot be read right now', error);
};

const createQueues = ({ redisUrl, onError }: Options) => {
  const redis = connectRedis(redisUrl, onError);
  const options = { connection: redis, skipWaitingForReady: true, skipVersionCheck: true };
  const queues = [new Queue(MAIL_QUEUE, options), new Queue(MAINTENANCE_QUEUE, options)];
  for (const queue of queues) queue.on('error', onError);
  return {
    redis,
    adapters: queues.map((queue) => {
      const adapter = new BullMQAdapter(queue);
      adapter.setFormatter('data', queue.name === MAIL_QUEUE ? describeMailJob : () => ({}));
      return adapter;
    }),
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
      redis.destroy();
    },
  };
};

/** bull-board on a connection of its own. Loaded when somebody first opens it: nobody else pays for it. */
export const createQueueBoard = (options: Options) => {
  const { redis, adapters, close } = createQueues(options);
  const server = new ExpressAdapter();
  server.setBasePath(options.path);
  createBullBoard({
    queues: adapters,
    serverAdapter: server,
    options: {
      uiConfig: { boardTitle: 'Queues', hideRedisDetails: true, hideDocsLink: true, showWorkers: false },
      handlerHooks: {
        after: (_context, result) => ({ ...result, body: maskAddresses(result.body) }),
      },
    },
  });
  // Passes errors on to the service's own error handler, which writes the one error body.
  server.setErrorHandler((error) => {
    throw error;
  });
  const app: RequestHandler & {
    disable: (name: string) => void;
    set: (name: string, value: unknown) => void;
  } = server.getRouter();
  app.disable('x-powered-by');
  app.set('trust proxy', options.trustProxy);

  const show: RequestHandler = async (req, res, next) => {
    if (!redis.isReady)
      await once(redis, 'ready', { signal: AbortSignal.timeout(2_000) }).catch((cause: unknown) => {
        throw unavailable('The queues cannot be read right now', cause);
      });
    const send = res.send.bind(res);
    const fail = (error?: unknown) => {
      res.send = send;
      next(translate(error));
    };
    res.send = (body) => {
      if (res.statusCode < 400) return send(typeof body === 'string' ? body.replace(FOREIGN, '') : body);
      fail(toAppError(res.statusCode));
      return res;
    };
    app(req, res, fail);
  };
  return { show, close };
};

export type QueueBoard = ReturnType<typeof createQueueBoard>;
