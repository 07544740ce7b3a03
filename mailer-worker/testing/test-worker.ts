import { createMetrics } from '@platform/shared/metrics/metrics';
import { pino } from 'pino';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

export const CODE_SECRET = 'code-secret-of-the-tests-0000000000001';

/** The required settings except for Postgres, Redis and SMTP. */
export const WORKER_ENVIRONMENT: Record<string, string> = {
  NODE_ENV: 'test',
  SMTP_REQUIRE_TLS: 'false',
  MAIL_FROM: 'Marketplace Platform <no-reply@platform.example>',
  CODE_SECRET_KEY: CODE_SECRET,
};

export type RunningWorker = {
  /** The log output of all levels. */
  logs: () => string;
  /** The page that Prometheus scrapes. */
  metrics: () => Promise<string>;
  /** Closes all connections, as on SIGTERM. */
  stop: () => Promise<void>;
};

/** Starts the whole worker, composed as in production. */
export const startTestWorker = async (environment: Record<string, string>): Promise<RunningWorker> => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ ...WORKER_ENVIRONMENT, ...environment });
  const metrics = createMetrics('mailer-worker');
  const { close } = await compose(config, { log, metrics });
  let stopping: Promise<void> | undefined;
  return {
    logs: () => lines.join(''),
    metrics: metrics.render,
    stop: () => {
      stopping ??= close();
      return stopping;
    },
  };
};
