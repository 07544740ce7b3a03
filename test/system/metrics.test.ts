import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { type RunningStack, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { cleanUpNow } from './cleanup-now.ts';
import { PROCESSES, type ProcessKey, type Sample, scrape, sumOf } from './metrics-pages.ts';

const SERVICES: readonly ProcessKey[] = ['auth', 'admin'];
const WITH_POSTGRES: readonly ProcessKey[] = [...SERVICES, 'worker'];

/** Every figure that operators watch, the processes that show it, and its labels beside `service`. */
const FIGURES: [name: string, processes: readonly ProcessKey[], labels: string[]][] = [
  ['nodejs_eventloop_lag_p99_seconds', PROCESSES, []],
  ['process_resident_memory_bytes', PROCESSES, []],
  ['process_start_time_seconds', PROCESSES, []],
  ['http_request_duration_seconds_bucket', ['gateway', ...SERVICES], ['le', 'method', 'route', 'status']],
  ['upstream_errors_total', ['gateway'], ['reason', 'upstream']],
  ['upstream_left_out_total', ['gateway'], ['upstream']],
  ['rate_limit_refusals_total', ['gateway'], ['limit']],
  ['database_connections', WITH_POSTGRES, ['state']],
  ['database_connections_max', WITH_POSTGRES, []],
  ['database_waiting', WITH_POSTGRES, []],
  ['password_queue_length', ['auth'], []],
  ['password_hash_duration_seconds_bucket', ['auth'], ['le']],
  ['password_hash_rounds_total', ['auth'], []],
  ['sign_ins_total', ['auth'], ['kind', 'outcome']],
  ['token_refreshes_total', ['auth'], ['kind', 'outcome']],
  ['mail_deliveries_total', ['worker'], ['outcome', 'template']],
  ['mail_delivery_age_seconds_bucket', ['worker'], ['le', 'template']],
  ['mail_outbox_rows', ['worker'], ['state']],
  ['mail_outbox_oldest_age_seconds', ['worker'], []],
  ['mail_queue_jobs', ['worker'], ['state']],
  ['cleanup_runs_total', ['worker'], ['outcome']],
  ['cleanup_removed_rows_total', ['worker'], ['table']],
  ['cleanup_last_success_timestamp_seconds', ['worker'], []],
];

describe('The figures that the running processes show', () => {
  let running: RunningStack;
  let records: Records;
  before('start the stack', async function () {
    this.timeout(60_000);
    running = await sharedStack();
    records = createRecords(running.stack.databaseUrl);
    for (const path of ['/api/v1', '/api/v1/auth/me']) await fetch(running.stack.gatewayUrl + path);
    await cleanUpNow(running.stack);
  });
  after('close the database', () => records?.close());

  type Figure = [process: ProcessKey, name: string, labels?: Record<string, string>];
  const read = async (figures: Figure[]): Promise<number[]> => {
    const pages = new Map<ProcessKey, Sample[]>();
    for (const [key] of figures) if (!pages.has(key)) pages.set(key, await scrape(running.stack, key));
    return figures.map(([key, name, labels]) => sumOf(pages.get(key) ?? [], name, labels) ?? 0);
  };

  for (const [name, processes, labels] of FIGURES)
    it(`${name} comes from ${processes.join(', ')}${labels.length > 0 ? `, by ${labels.join(', ')}` : ''}`, async () => {
      for (const key of PROCESSES) {
        const page = await scrape(running.stack, key);
        const series = page.filter((sample) => sample.name === name);
        expect(series.length > 0, `${key} shows it`).to.equal(processes.includes(key));
        for (const { labels: found } of series)
          expect(Object.keys(found).sort(), key).to.deep.equal([...labels, 'service'].sort());
      }
    });

  it('no label takes a value that callers choose', async () => {
    await fetch(`${running.stack.gatewayUrl}/api/v1/chosen-by-a-caller`, { method: 'DELETE' });
    for (const key of PROCESSES) {
      const text = JSON.stringify((await scrape(running.stack, key)).map(({ labels }) => labels));
      expect(text).not.to.match(/chosen|[0-9a-f]{8}-[0-9a-f]{4}-|@|\d+\.\d+\.\d+\.\d+/);
    }
  });

  it('sign-ins are counted by kind and by how they ended', async () => {
    const client = createAuthClient(running.stack.gatewayUrl, CUSTOMER);
    const figure = (outcome: string, kind = 'customer'): Figure => [
      'auth',
      'sign_ins_total',
      { kind, outcome },
    ];
    const figures = [figure('success'), figure('failure'), figure('throttled'), figure('blocked')];
    const hashes: Figure = ['auth', 'password_hash_duration_seconds_count'];
    const before = await read([...figures, hashes]);
    const account = await client.createAccount();
    await client.openDevice(account);
    const wrong = { email: account.email, password: 'Wrong horse battery' };
    for (let tries = 0; tries < 5; tries += 1) await client.signIn(wrong, uniqueFingerprint());
    expect((await client.signIn(wrong, uniqueFingerprint())).status).to.equal(429);
    const blocked = await records.user(['CUSTOMER'], { isBlocked: true });
    expect((await client.signIn({ email: blocked.email, password: PASSWORD }, 'x')).status).to.equal(401);
    const after = await read([...figures, hashes]);
    const added = after.map((value, index) => value - (before[index] ?? 0));
    expect(added.slice(0, 4)).to.deep.equal([1, 5, 1, 1]);
    // The sign-up's hash, and a comparison for each try that was not throttled.
    expect(added[4]).to.equal(8);
  });

  it('refreshes are counted by what became of the token', async () => {
    const client = createAuthClient(running.stack.gatewayUrl, ADMINISTRATOR);
    const outcomes = ['rotated', 'superseded', 'reused', 'invalid', 'blocked'];
    const figures = outcomes.map(
      (outcome): Figure => ['auth', 'token_refreshes_total', { kind: 'administrator', outcome }],
    );
    const before = await read(figures);
    const device = await client.openDevice(await records.user(['OPERATOR']));
    const second = await client.refreshed(device);
    await client.refresh(device);
    await client.refreshed(second);
    await client.refresh(device);
    await client.refresh({ ...device, refreshToken: 'garbage' });
    const user = await records.user(['ARBITER']);
    const doomed = await client.openDevice(user);
    await records.block(user.id);
    await client.refresh(doomed);
    const after = await read(figures);
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([2, 1, 1, 1, 1]);
  });

  it('mails are counted once they are sent, with the time since they were asked for', async () => {
    const client = createAuthClient(running.stack.gatewayUrl, CUSTOMER);
    const template = 'password-changed';
    const figures: Figure[] = [
      ['worker', 'mail_deliveries_total', { template, outcome: 'sent' }],
      ['worker', 'mail_delivery_age_seconds_count', { template }],
      ['worker', 'mail_delivery_age_seconds_sum', { template }],
    ];
    const [sent = 0, counted = 0, seconds = 0] = await read(figures);
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    await client.changePassword(device, { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' });
    await createInboxClient(running.stack.inboxUrl).untilMail(account.email, 'Your password was changed');
    await waitFor('the mail is counted', async () => (await read(figures))[0] === sent + 1);
    const [, countedThen = 0, secondsThen = 0] = await read(figures);
    expect(countedThen).to.equal(counted + 1);
    expect(secondsThen - seconds).to.be.within(0, 10);
  });
});
