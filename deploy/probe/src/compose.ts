import { runPeriodically } from '@platform/shared/async/tasks';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createCodeCheck } from './code-check.ts';
import type { ProbeConfig } from './config.ts';
import { createJourney, STEPS } from './journey.ts';

/** Repeats the journey and exports its result. */
const startJourneys = (config: ProbeConfig, { log, metrics }: Runtime) => {
  const runJourney = createJourney(config);
  let last: { success: number; seconds: number } | undefined;
  metrics.gauge(
    'probe_journey_success',
    'Whether the last journey of the probe accounts succeeded (1) or not (0); absent before the first one',
    () => last?.success,
  );
  metrics.gauge('probe_journey_duration_seconds', 'Duration of the last journey', () => last?.seconds);
  const countFailure = metrics.counter(
    'probe_step_failures_total',
    'Failed journeys by the step that failed',
    {
      step: STEPS,
    },
  );

  const run = async (): Promise<void> => {
    const started = performance.now();
    const failure = await runJourney();
    last = { success: failure ? 0 : 1, seconds: (performance.now() - started) / 1_000 };
    if (!failure) return;
    countFailure({ step: failure.step });
    log.warn(failure, 'journey failed');
  };
  return runPeriodically(run, {
    intervalMilliseconds: config.intervalMilliseconds,
    onError: (error) => log.error({ err: error }, 'probe error'),
  });
};

const startCodeChecks = (config: ProbeConfig, inboxUrl: string, { log, metrics, stopping }: Runtime) => {
  const checkCode = createCodeCheck({ url: config.url, account: config.account, inboxUrl, stopping });
  let success: number | undefined;
  metrics.gauge(
    'probe_code_success',
    'Whether the last mailed code arrived and signed in (1) or not (0); absent before the first, and while no code may be sent',
    () => success,
  );
  const run = async (): Promise<void> => {
    const result = await checkCode();
    success = result && (result.problem === undefined ? 1 : 0);
    if (success === 0) log.warn(result, 'code not received');
  };
  return runPeriodically(run, {
    intervalMilliseconds: config.intervalMilliseconds,
    onError: (error) => log.error({ err: error }, 'probe error'),
  });
};

/** Starts the journeys and, with an inbox, the checks of codes. They never wait for each other. */
export const compose = (config: ProbeConfig, runtime: Runtime): ComposedService => {
  const repetitions = [
    startJourneys(config, runtime),
    ...(config.inboxUrl === undefined ? [] : [startCodeChecks(config, config.inboxUrl, runtime)]),
  ];
  return {
    checks: {},
    close: async () => {
      await Promise.all(repetitions.map(({ stop }) => stop()));
    },
  };
};
