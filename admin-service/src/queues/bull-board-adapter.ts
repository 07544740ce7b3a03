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
import { MAIL_QUEUE, MAINTENANCE_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { connectRedis } from '@platform/shared/redis/redis';
import { Queue } from 'bullmq';
import type { RequestHandler } from 'express';

type Options = { redisUrl: string; path: string; trustProxy: unknown; onError: (error: Error) => void };

/** The only resource that the page loads from another host. */
const EXTERNAL_FONT_LINK = /<link[^>]+fonts\.googleapis\.com[^>]*>/;
const EMAIL_ADDRESS = /([^\s"'<>@\\])[^\s"'<>@\\]*(@[^\s"'<>@\\]+)/g;

/** Masks e-mail addresses, also in failure reasons: `ada@example.com` becomes `a…@example.com`. */
const maskEmailAddresses = <Body>(body: Body): Body =>
  JSON.parse(JSON.stringify(body ?? null).replace(EMAIL_ADDRESS, '$1…$2')) as Body;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields that identify a mail. Its template is the name of the job, and the mail itself is encrypted. */
const redactMailJob = (data: unknown): unknown => {
  if (!isRecord(data)) return {};
  const { requestId, traceparent, askedAt, inOutbox } = data;
  return { requestId, traceparent, askedAt, inOutbox };
};

const queuesUnavailable = (cause?: unknown) => unavailable('The queues are unavailable; retry later', cause);

/** bull-board's error responses have a different body, so they are replaced by an AppError. */
const toAppError = (status: number): AppError => {
  if (status === 404) return notFound('ROUTE_NOT_FOUND', 'Queue or job not found');
  if (status === 409) return conflict('JOB_ACTIVE', 'The job is being processed; retry after it ends');
  if (status < 500) return validationFailed('The queue or the state of the job does not allow this change');
  return queuesUnavailable();
};

/** Other errors are malformed requests, to which Express gives a status, or errors of Redis. */
const translateError = (error: unknown): unknown => {
  if (error === undefined || error instanceof AppError) return error;
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' && status < 500
    ? validationFailed('The request is malformed')
    : queuesUnavailable(error);
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
      adapter.setFormatter('data', queue.name === MAIL_QUEUE ? redactMailJob : () => ({}));
      return adapter;
    }),
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
      redis.destroy();
    },
  };
};

export const createQueueBoard = (options: Options) => {
  const { redis, adapters, close } = createQueues(options);
  const adapter = new ExpressAdapter();
  adapter.setBasePath(options.path);
  createBullBoard({
    queues: adapters,
    serverAdapter: adapter,
    options: {
      uiConfig: { boardTitle: 'Queues', hideRedisDetails: true, hideDocsLink: true, showWorkers: false },
      handlerHooks: {
        after: (_context, result) => ({ ...result, body: maskEmailAddresses(result.body) }),
      },
    },
  });
  // The service's error handler writes the error response.
  adapter.setErrorHandler((error) => {
    throw error;
  });
  const router: RequestHandler & {
    disable: (name: string) => void;
    set: (name: string, value: unknown) => void;
  } = adapter.getRouter();
  router.disable('x-powered-by');
  router.set('trust proxy', options.trustProxy);

  const handle: RequestHandler = async (req, res, next) => {
    if (!redis.isReady)
      await once(redis, 'ready', { signal: AbortSignal.timeout(2_000) }).catch((cause: unknown) => {
        throw queuesUnavailable(cause);
      });
    const send = res.send.bind(res);
    const fail = (error?: unknown) => {
      res.send = send;
      next(translateError(error));
    };
    res.send = (body) => {
      if (res.statusCode < 400)
        return send(typeof body === 'string' ? body.replace(EXTERNAL_FONT_LINK, '') : body);
      fail(toAppError(res.statusCode));
      return res;
    };
    router(req, res, fail);
  };
  return { handle, close };
};

export type QueueBoard = ReturnType<typeof createQueueBoard>;
