import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '@platform/shared/db/database';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { createMailQueue } from '@platform/shared/mail/mail-queue';
import { connectBlockingRedis, connectRedis, warnUnlessNoEviction } from '@platform/shared/redis/redis';
import { createCleanup } from './cleanup/cleanup.ts';
import { scheduleCleanup } from './cleanup/cleanup-schedule.ts';
import type { WorkerConfig } from './config.ts';
import { createMailDelivery } from './delivery/deliver-mail.ts';
import { startMailWorker } from './delivery/mail-worker.ts';
import { createMailRenderer } from './delivery/render-mail.ts';
import { createSmtpTransport } from './delivery/smtp-transport.ts';
import { createOutboxStore } from './outbox/outbox-store.ts';
import { createOutboxRelay } from './outbox/relay-outbox.ts';
import { repeat } from './run-periodically.ts';
import { createCleanupMetrics, createMailMetrics, measureWorker } from './worker-metrics.ts';

const RELAY_MILLISECONDS = 500;
const SCHEDULE_CHECK_MILLISECONDS = 2_000;
/** Enough to end the mails that are being sent, and less than the stop as a whole may take (SHUTDOWN_SECONDS). */
const STOP_MILLISECONDS = 10_000;

/** Clients → stores → the three jobs: deliver mails, relay the outbox, clean up at night. */
export const compose = (config: WorkerConfig, { log, metrics }: Runtime): ComposedService => {
  const onError = (error: unknown) => log.warn({ err: error }, 'worker trouble');
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'mailer-worker',
    maxConnections: config.mailConcurrency + 3,
    onError,
  });
  const redis = connectRedis(config.redisUrl, onError);
  const patientRedis = connectBlockingRedis(config.redisUrl, onError);
  warnUnlessNoEviction(redis, (message) => log.warn(message));
  const transport = createSmtpTransport(config.smtp);
  const outbox = createOutboxStore(database);
  const queue = createMailQueue(redis);

  const mailMetrics = createMailMetrics(metrics);
  const cleanupMetrics = createCleanupMetrics(metrics);
  measureWorker(metrics, { database, outbox, queue });

  const deliver = createMailDelivery({
    outbox,
    transport,
    render: createMailRenderer(createCodeCipher(config.codeSecret)),
    note: (event, details) => log.info(details, event),
    onSent: mailMetrics.sent,
  });
  const mailWorker = startMailWorker({
    redis: patientRedis,
    concurrency: config.mailConcurrency,
    ratePerSecond: config.mailRatePerSecond,
    deliver,
    onError,
    onFailure: (failure) => {
      mailMetrics.notSent(failure.template, failure.isFinal);
      log.warn(failure, 'mail not sent');
    },
  });
  const relay = repeat(createOutboxRelay({ outbox, queue }), {
    everyMilliseconds: RELAY_MILLISECONDS,
    onError,
  });
  const cleanup = scheduleCleanup({
    redis: patientRedis,
    timeZone: config.cleanupTimeZone,
    run: createCleanup({ database, log, metrics: cleanupMetrics, retention: config.retention }),
    onError,
  });
  cleanupMetrics.measureLast(cleanup);
  const schedule = repeat(cleanup.ensure, { everyMilliseconds: SCHEDULE_CHECK_MILLISECONDS, onError });

  return {
    checks: { postgres: database.ping, redis: () => redis.ping() },
    close: async () => {
      await Promise.all([relay.stop(), schedule.stop()]);
      // A frozen Redis would keep them waiting for ever: what they hold, another worker takes over.
      const patience = delay(STOP_MILLISECONDS, undefined, { ref: false });
      await Promise.race([Promise.all([mailWorker.close(), cleanup.close()]), patience]);
      await queue.close();
      transport.close();
      redis.destroy();
      patientRedis.destroy();
      await database.close();
    },
  };
};
