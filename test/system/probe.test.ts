import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import type { UserRecord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { createBreakingProxy, onRoute, replaceText } from '../deployed/breaking-proxy.ts';
import { sumOf } from './scrape.ts';
import { usePlatform } from './use-platform.ts';

describe('probe', () => {
  const platform = usePlatform();
  let customer: UserRecord;
  let probe: NodeProcess | undefined;
  beforeEach(async () => {
    customer = await platform().records.user(['CUSTOMER']);
  });
  afterEach(() => probe?.stop());

  const start = (url: string, environment: Record<string, string> = {}): NodeProcess => {
    probe = startProcess(['deploy/probe/src/main.ts'], {
      environment: {
        PROBE_URL: url,
        PROBE_EMAIL: customer.email,
        PROBE_PASSWORD: customer.password,
        PROBE_INTERVAL_SECONDS: '1',
        PROBE_OPS_PORT: '0',
        ...environment,
      },
    });
    return probe;
  };
  /** Waits until `count` journeys ended so, and returns the metrics. */
  const waitForJourneys = async (started: NodeProcess, outcome: 'success' | 'failure', count: number) => {
    const { opsUrl } = await started.listening();
    return await waitFor(`${count} journeys: ${outcome}`, async () => {
      const samples = parseMetrics(await (await fetch(`${opsUrl}/metrics`)).text());
      return (sumOf(samples, 'probe_journeys_total', { outcome }) ?? 0) >= count ? samples : undefined;
    });
  };
  const count = async (table: 'sessions' | 'token_records'): Promise<number> =>
    (await platform().records.query(`select from ${table} where user_id = $1`, [customer.id])).length;

  it('repeats sign-in, me, refresh and sign-out, with one session for all journeys', async () => {
    const started = start(platform().gatewayUrl);
    const samples = await waitForJourneys(started, 'success', 2);
    expect(sumOf(samples, 'probe_journey_success', { service: 'probe' })).to.equal(1);
    expect(sumOf(samples, 'probe_journey_duration_seconds')).to.be.greaterThan(0);
    expect(sumOf(samples, 'probe_step_failures_total')).to.equal(0);
    expect(await started.stop()).to.include({ code: 0 });
    expect(await count('sessions')).to.equal(1);
    expect(await count('token_records')).to.equal(0);
  });

  it('signs in to the back-office too, and has a code sent that comes', async () => {
    const operator = await platform().records.user(['OPERATOR']);
    const started = start(platform().gatewayUrl, {
      PROBE_OPERATOR_EMAIL: operator.email,
      PROBE_OPERATOR_PASSWORD: operator.password,
      PROBE_SERVICE_PATHS: '/api/v1/users/me',
      PROBE_INBOX_URL: `${platform().stack.inboxUrl}/api/email?to=${encodeURIComponent(customer.email)}`,
    });
    await waitForJourneys(started, 'success', 1);
    const readCode = async () => {
      const { opsUrl } = await started.listening();
      const samples = parseMetrics(await (await fetch(`${opsUrl}/metrics`)).text());
      return sumOf(samples, 'probe_code_success');
    };
    await waitFor('the code has come', async () => (await readCode()) !== undefined);
    expect(await readCode()).to.equal(1);
  });

  it('names a back-office that refuses tokens, and reports an inbox without the code', async () => {
    const operator = await platform().records.user(['OPERATOR']);
    const proxy = await createBreakingProxy(platform().gatewayUrl, [
      onRoute(/^GET .*\/operator\/me$/, () => ({ status: 401 })),
    ]);
    const started = start(proxy.url, {
      PROBE_OPERATOR_EMAIL: operator.email,
      PROBE_OPERATOR_PASSWORD: operator.password,
      PROBE_INBOX_URL: 'http://127.0.0.1:1',
    });
    const samples = await waitForJourneys(started, 'failure', 1);
    await started.waitForLog('code not received');
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'operator_me' })).to.equal(1);
    await started.stop();
    await proxy.close();
  });

  it('names the step that fails, signs out, and succeeds again afterwards', async () => {
    let isBroken = true;
    const breakMe = replaceText(/^GET .*\/auth\/me$/, /"id":"[^"]+"/, '"id":"other"');
    const proxy = await createBreakingProxy(platform().gatewayUrl, [
      (...passing) => (isBroken ? breakMe(...passing) : undefined),
    ]);
    const started = start(proxy.url);
    const samples = await waitForJourneys(started, 'failure', 1);
    expect(sumOf(samples, 'probe_journey_success')).to.equal(0);
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'me' })).to.be.greaterThan(0);
    expect(await started.waitForLog('journey failed')).to.deep.include({ step: 'me' });
    isBroken = false;
    const recovered = await waitForJourneys(started, 'success', 1);
    expect(sumOf(recovered, 'probe_journey_success')).to.equal(1);
    await started.stop();
    await proxy.close();
    expect(await count('token_records')).to.equal(0);
  });

  it('names another service that fails', async () => {
    const proxy = await createBreakingProxy(platform().gatewayUrl, [
      onRoute(/^GET \/api\/v1\/drafts$/, () => ({ status: 503 })),
    ]);
    const samples = await waitForJourneys(
      start(proxy.url, { PROBE_SERVICE_PATHS: '/api/v1/drafts' }),
      'failure',
      1,
    );
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'services' })).to.equal(1);
    await proxy.close();
  });

  it('counts a platform that is not reachable as a failed journey', async () => {
    const samples = await waitForJourneys(start('http://127.0.0.1:1'), 'failure', 1);
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'sign_in' })).to.equal(1);
  });

  it('refuses to start without an account, and names what is missing', async () => {
    const started = start(platform().gatewayUrl, { PROBE_EMAIL: '', PROBE_PASSWORD: '' });
    expect(await started.waitForExit()).to.include({ code: 1 });
    expect(started.output()).to.include('Cannot start: PROBE_EMAIL is required; PROBE_PASSWORD is required');
  });
});
