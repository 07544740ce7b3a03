import { setTimeout as delay } from 'node:timers/promises';
import { runPeriodically } from '@platform/shared/async/tasks';
import { connectDatabase } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import {
  connectBlockingRedis,
  connectRedis,
  createRedisCheck,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { createCleanup } from './cleanup/cleanup.ts';
import { scheduleCleanup } from './cleanup/cleanup-schedule.ts';
import { deleteExpiredGuesses } from './cleanup/expired-rows.ts';
import type { WorkerConfig } from './config.ts';
import { createMailDelivery } from './delivery/deliver-mail.ts';
import { type MailFailure, startMailWorker } from './delivery/mail-worker.ts';
import { createNoticeLimit } from './delivery/notice-limit.ts';
import { createSmtpTransport } from './delivery/smtp-transport.ts';
import { createOutboxRelay } from './outbox/outbox-relay.ts';
import { createOutboxStore } from './outbox/outbox-store.ts';
import { createMailRenderer } from './templates/mail-templates.ts';
import { createCleanupMetrics, createMailMetrics, registerWorkerMetrics } from './worker-metrics.ts';

const RELAY_INTERVAL_MILLISECONDS = 500;
const RELEASE_INTERVAL_MILLISECONDS = 2_000;
const SCHEDULE_CHECK_INTERVAL_MILLISECONDS = 2_000;
/** Hourly, not nightly: anyone can create rows by failing with unknown e-mails. */
const GUESS_CLEANUP_INTERVAL_MILLISECONDS = 3_600_000;
/** Long enough to finish the current mails, and shorter than SHUTDOWN_SECONDS. */
const CLOSE_TIMEOUT_MILLISECONDS = 10_000;

/** Creates the clients, then the stores, then the jobs: delivery, outbox relay and cleanups. */
export const compose = (config: WorkerConfig, { log, metrics }: Runtime): ComposedService => {
  const onError = createErrorLog(log, 'worker error');
  const pool = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'mailer-worker',
    maxConnections: config.databaseConnections,
    onError,
  });
  const { database } = pool;
  const redis = connectRedis(config.queueRedisUrl, onError);
  const blockingRedis = connectBlockingRedis(config.queueRedisUrl, onError);
  warnUnlessNoEviction(redis, (message) => log.warn(message));
  const transport = createSmtpTransport(config.smtp);
  const outbox = createOutboxStore(database);
  const cipher = createMailCipher(config.codeSecret);
  const queue = createMailQueue(redis, cipher);

  const mailMetrics = createMailMetrics(metrics);
  const cleanupMetrics = createCleanupMetrics(metrics);
  registerWorkerMetrics(metrics, { pool, outbox, queue, redis });

  const deliver = createMailDelivery({
    cipher,
    outbox,
    transport,
    isWithinLimit: createNoticeLimit(redis, config.codeSecret),
    render: createMailRenderer(config.productName, config.support, {
      hasLogo: config.smtp.logo !== undefined,
      accentColour: config.accentColour,
    }),
    log,
    metrics: mailMetrics,
  });
  const onFailure = (failure: MailFailure): void => {
    mailMetrics.countFailure(failure.template, failure.outcome);
    log.warn(failure, 'mail not sent');
  };
  const mailWorker = startMailWorker({
    redis: blockingRedis,
    concurrency: config.mailConcurrency,
    ratePerSecond: config.mailRatePerSecond,
    deliver,
    countWaitingCodes: queue.countWaitingCodes,
    pauseQueue: queue.pause,
    onError,
    onFailure,
  });
  const { relay, releaseLost } = createOutboxRelay({ outbox, queue, onFailure });
  const relaying = runPeriodically(relay, { intervalMilliseconds: RELAY_INTERVAL_MILLISECONDS, onError });
  const releasing = runPeriodically(releaseLost, {
    intervalMilliseconds: RELEASE_INTERVAL_MILLISECONDS,
    onError,
  });
  const cleanup = scheduleCleanup({
    redis: blockingRedis,
    timeZone: config.cleanupTimeZone,
    run: createCleanup({ database, log, metrics: cleanupMetrics, retention: config.retention }),
    onError,
  });
  cleanupMetrics.registerLastSuccess(cleanup);
  const scheduleCheck = runPeriodically(cleanup.ensure, {
    intervalMilliseconds: SCHEDULE_CHECK_INTERVAL_MILLISECONDS,
    onError,
  });
  const deleteGuesses = async () =>
    cleanupMetrics.countDeleted({ table: 'failed_guesses' }, await deleteExpiredGuesses(database));
  const guessCleanup = runPeriodically(deleteGuesses, {
    intervalMilliseconds: GUESS_CLEANUP_INTERVAL_MILLISECONDS,
    onError,
  });

  return {
    checks: {
      postgres: pool.ping,
      'postgres-writes': pool.checkWrites,
      migrations: createMigrationCheck(database),
      redis: createRedisCheck('mailer-worker', redis),
    },
    close: async () => {
      await Promise.all([relaying.stop(), releasing.stop(), scheduleCheck.stop()]);
      // These never close while Redis is frozen. After the timeout, another worker takes over their jobs.
      const timeout = delay(CLOSE_TIMEOUT_MILLISECONDS, undefined, { ref: false });
      await Promise.race([Promise.all([mailWorker.close(), cleanup.close(), guessCleanup.stop()]), timeout]);
      await queue.close();
      transport.close();
      redis.destroy();
      blockingRedis.destroy();
      await pool.close();
    },
  };
};
