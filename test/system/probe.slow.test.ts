import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseMetrics, type Sample } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, runScript, startProcess } from '@platform/shared/testing/process';
import type { UserRecord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { createBreakingProxy } from './breaking-proxy.ts';
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
  const readMetrics = async (started: NodeProcess): Promise<Sample[]> => {
    const { opsUrl } = await started.listening();
    return parseMetrics(await (await fetch(`${opsUrl}/metrics`)).text());
  };
  /** Waits until the last journey ended with this result and satisfies the condition. Returns the metrics. */
  const waitForJourney = (
    started: NodeProcess,
    outcome: 'success' | 'failure',
    condition = (_samples: Sample[]) => true,
  ): Promise<Sample[]> =>
    waitFor(`a journey: ${outcome}`, async () => {
      const samples = await readMetrics(started);
      const isExpected = sumOf(samples, 'probe_journey_success') === (outcome === 'success' ? 1 : 0);
      return isExpected && condition(samples) ? samples : undefined;
    });
  const count = async (table: 'sessions' | 'token_records'): Promise<number> =>
    (await platform().records.query(`select from ${table} where user_id = $1`, [customer.id])).length;

  it('repeats sign-in, me, refresh and sign-out, with one session for all journeys', async () => {
    const started = start(platform().gatewayUrl);
    const durationOf = (samples: Sample[]) => sumOf(samples, 'probe_journey_duration_seconds');
    const first = durationOf(await waitForJourney(started, 'success'));
    expect(first).to.be.greaterThan(0);
    const samples = await waitForJourney(started, 'success', (next) => durationOf(next) !== first);
    expect(sumOf(samples, 'probe_step_failures_total')).to.equal(0);
    expect(await started.stop()).to.include({ code: 0 });
    expect(await count('sessions')).to.equal(1);
    expect(await count('token_records')).to.equal(0);
  });

  it('signs up its account by a command', async () => {
    const account = { PROBE_EMAIL: uniqueEmail(), PROBE_PASSWORD: PASSWORD };
    const environment = { PROBE_URL: platform().gatewayUrl, ...account };
    const { code, output } = await runScript('deploy/probe/src/run-sign-up.ts', [], environment);
    expect(code, output).to.equal(0);
    await waitForJourney(start(platform().gatewayUrl, account), 'success');
  });

  it('signs in to the back office too, and with a mailed code, after it has verified its address', async () => {
    const operator = await platform().records.user(['OPERATOR']);
    const started = start(platform().gatewayUrl, {
      PROBE_OPERATOR_EMAIL: operator.email,
      PROBE_OPERATOR_PASSWORD: operator.password,
      PROBE_SERVICE_PATHS: '/api/v1/users/me',
      PROBE_INBOX_URL: `${platform().stack.inboxUrl}/api/email?to=${encodeURIComponent(customer.email)}`,
    });
    await waitForJourney(started, 'success');
    const readCode = async () => sumOf(await readMetrics(started), 'probe_code_success');
    await waitFor('the code has come', async () => (await readCode()) !== undefined);
    expect(await readCode()).to.equal(1);
    const query = `select u.is_email_verified as "isEmailVerified", a.details -> 'methods' as methods
      from users u join audit_records a on a.actor_id = u.id and a.action = 'SIGNED_IN'
      where u.id = $1 order by a.created_at desc`;
    const signIns = await platform().records.query<{ isEmailVerified: boolean; methods: string[] }>(query, [
      customer.id,
    ]);
    expect(signIns.map(({ isEmailVerified }) => isEmailVerified))
      .to.include(true)
      .and.not.include(false);
    expect(signIns.filter(({ methods }) => methods.includes('email-code'))).to.have.lengthOf(1);
    // The first proof of the address has not ended the password.
    await waitForJourney(started, 'success');
  });

  it('receives a code to reset the password where the platform offers none to sign in', async () => {
    const isSignIn = /^POST .*\/sign-in\/email-code\/send$/;
    const proxy = await createBreakingProxy(platform().gatewayUrl, (route) =>
      isSignIn.test(route) ? { status: 404 } : undefined,
    );
    await platform().records.verifyEmail(customer.id);
    const inbox = `${platform().stack.inboxUrl}/api/email?to=${encodeURIComponent(customer.email)}`;
    const started = start(proxy.url, { PROBE_INBOX_URL: inbox });
    const readCode = async () => sumOf(await readMetrics(started), 'probe_code_success');
    await waitFor('the code has come', async () => (await readCode()) !== undefined);
    expect(await readCode()).to.equal(1);
    await started.stop();
    await proxy.close();
  });

  it('names a back office that rejects tokens, and reports an inbox without the code', async () => {
    const operator = await platform().records.user(['OPERATOR']);
    const proxy = await createBreakingProxy(platform().gatewayUrl, (route) =>
      /^GET .*\/operator\/me$/.test(route) ? { status: 401 } : undefined,
    );
    const started = start(proxy.url, {
      PROBE_OPERATOR_EMAIL: operator.email,
      PROBE_OPERATOR_PASSWORD: operator.password,
      PROBE_INBOX_URL: 'http://127.0.0.1:1',
    });
    const samples = await waitForJourney(started, 'failure');
    await started.waitForLog('code not received');
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'operator_me' })).to.equal(1);
    await started.stop();
    await proxy.close();
  });

  it('names the step that fails, signs out, and succeeds again afterwards', async () => {
    let isBroken = true;
    const proxy = await createBreakingProxy(platform().gatewayUrl, (route, { text }) =>
      isBroken && /^GET .*\/auth\/me$/.test(route)
        ? { text: text.replace(/"id":"[^"]+"/, '"id":"other"') }
        : undefined,
    );
    const started = start(proxy.url);
    const samples = await waitForJourney(started, 'failure');
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'me' })).to.be.greaterThan(0);
    expect(await started.waitForLog('journey failed')).to.deep.include({ step: 'me' });
    isBroken = false;
    await waitForJourney(started, 'success');
    await started.stop();
    await proxy.close();
    expect(await count('token_records')).to.equal(0);
  });

  it('names another service that fails', async () => {
    const proxy = await createBreakingProxy(platform().gatewayUrl, (route) =>
      route === 'GET /api/v1/drafts' ? { status: 503 } : undefined,
    );
    const started = start(proxy.url, { PROBE_SERVICE_PATHS: '/api/v1/drafts' });
    const samples = await waitForJourney(started, 'failure');
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'services' })).to.equal(1);
    await proxy.close();
  });

  it('counts a platform that is not reachable as a failed journey', async () => {
    const samples = await waitForJourney(start('http://127.0.0.1:1'), 'failure');
    expect(sumOf(samples, 'probe_step_failures_total', { step: 'sign_in' })).to.equal(1);
  });

  it('exits without an account, and names the missing settings', async () => {
    const started = start(platform().gatewayUrl, { PROBE_EMAIL: '', PROBE_PASSWORD: '' });
    expect(await started.waitForExit()).to.include({ code: 1 });
    expect(started.output()).to.include('Cannot start: PROBE_EMAIL is required; PROBE_PASSWORD is required');
  });
});
