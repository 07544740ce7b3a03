import { runPeriodically } from '@platform/shared/async/tasks';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import type { ProbeConfig } from './config.ts';
import { createJourney, STEPS } from './journey.ts';

/** Repeats the journey, and exports its result. */
export const compose = (config: ProbeConfig, { log, metrics }: Runtime): ComposedService => {
  const runJourney = createJourney(config);
  let last: { success: number; seconds: number } | undefined;
  metrics.gauge(
    'probe_journey_success',
    'Whether the last journey of the probe account succeeded (1) or not (0); absent before the first one',
    () => last?.success,
  );
  metrics.gauge('probe_journey_duration_seconds', 'Duration of the last journey', () => last?.seconds);
  const countJourney = metrics.counter('probe_journeys_total', 'Journeys by outcome', {
    outcome: ['success', 'failure'],
  });
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
    countJourney({ outcome: failure ? 'failure' : 'success' });
    if (!failure) return;
    countFailure({ step: failure.step });
    log.warn(failure, 'journey failed');
  };
  const repetition = runPeriodically(run, {
    intervalMilliseconds: config.intervalMilliseconds,
    onError: (error) => log.error({ err: error }, 'probe error'),
  });
  return { checks: {}, close: () => repetition.stop() };
};
