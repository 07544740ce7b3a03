import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpRequest } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import type { Report } from '@platform/shared/testing/suite';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { RestartableService } from '../platform.ts';
import { readMetrics, sumSamples } from '../process-metrics.ts';
import type { RoutingFixture } from './fixture.ts';

const CLIENT_TIMEOUT_SECONDS = 10;
const FROZEN_SECONDS = 20;
const PER_SECOND = 30;

const ME: HttpRequest = { path: '/api/v1/auth/me' };
const SIGN_IN = (): HttpRequest => ({
  method: 'POST',
  path: '/api/v1/customers/auth/sign-in',
  headers: { 'X-Fingerprint': uniqueFingerprint() },
  body: { email: uniqueEmail(), password: 'unknown account' },
});

const countBy = (values: Iterable<string>): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([value, count]) => `${count} × ${value}`)
    .join(', ');
};

/** Sends requests with clients that give up; returns what each one saw, by request id. */
const sendWhileFrozen = async (gatewayUrl: string, { signal }: RestartableService) => {
  const client = createHttpClient(gatewayUrl, { timeoutSeconds: CLIENT_TIMEOUT_SECONDS });
  const seen = new Map<string, string>();
  const send = async (call: HttpRequest): Promise<boolean> => {
    const id = randomUUID();
    const { status, failure } = await client.send({
      ...call,
      headers: { ...call.headers, 'X-Request-Id': id },
    });
    // As nginx does, the log calls it 499 when a client leaves.
    seen.set(id, failure === 'timeout' ? '499' : (failure ?? String(status)));
    return true;
  };
  const load = startSteadyLoad([
    { perSecond: (2 * PER_SECOND) / 3, run: () => send(ME) },
    { perSecond: PER_SECOND / 3, run: () => send(SIGN_IN()) },
  ]);
  await delay(3_000);
  signal('SIGSTOP');
  await delay(FROZEN_SECONDS * 1_000);
  await load.stop();
  signal('SIGCONT');
  return seen;
};

const readLog = (gateway: RestartableService, ids: ReadonlyMap<string, string>): Map<string, string> => {
  const lines = gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line): { requestId: string; status: number } => JSON.parse(line));
  return new Map(
    lines
      .filter(({ requestId }) => ids.has(requestId))
      .map(({ requestId, status }) => [requestId, `${status}`]),
  );
};

/** The only auth-service freezes: log and metrics of the gateway show what clients saw. */
export const checkAbandonedRequests = async (
  report: Report,
  { platform, instances, admin }: RoutingFixture,
): Promise<void> => {
  const { service } = instances[0];
  const gateway = await platform.createGateway([service], [admin], { LOG_LEVEL: 'info' });
  await gateway.start();
  const seen = await sendWhileFrozen(gateway.url, service);
  const logged = await waitFor('the log has every request', () => {
    const found = readLog(gateway, seen);
    return found.size === seen.size ? found : undefined;
  });
  report.log(`    clients: ${countBy(seen.values())}`);
  report.log(`    log: ${countBy(logged.values())}`);
  // The timeouts of client and gateway are equal: a 504 may be sent at the moment when the client leaves.
  const different = [...seen].filter(([id, status]) => logged.get(id) !== status);
  const unexplained = different.filter(([id, status]) => status !== '499' || logged.get(id) !== '504');
  report.check(
    unexplained.length === 0,
    `frozen: the log has the status that each of ${seen.size} clients saw; ${different.length} left during a 504`,
  );
  const samples = await readMetrics(gateway);
  const statuses = [...new Set(logged.values())].sort();
  const labels = { route: 'auth-service' };
  const measured = statuses.map((status) =>
    sumSamples(samples, 'http_request_duration_seconds_count', { ...labels, status }),
  );
  const expected = statuses.map((status) => [...logged.values()].filter((found) => found === status).length);
  report.check(
    measured.join() === expected.join(),
    `frozen: http_request_duration_seconds has the statuses ${statuses} ${measured} times, as the log`,
  );
  const countErrors = (reason: string) =>
    sumSamples(samples, 'upstream_errors_total', { upstream: 'auth-service', reason });
  const [abandoned, timeouts] = [countErrors('abandoned'), countErrors('timeout')];
  const failed = [...logged.values()].filter((status) => status === '499' || status === '504').length;
  report.check(
    abandoned + timeouts === failed,
    `frozen: upstream_errors_total has ${abandoned} abandoned and ${timeouts} timeouts`,
  );
  await gateway.stop();
};
