import { MAINTENANCE_QUEUE } from '@platform/shared/mail/mail-queue';
import {
  ACCOUNT_KINDS,
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  createAuthClient,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import type { Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { createClient } from 'redis';
import type { Release } from './releases.ts';

export type FlowFixture = { records: Records; inboxUrl: string };

const REFRESHES = 6;
const CONTACT_INBOX = 'contact@example.com';

/** A session continues at either release, and ends at both. */
export const shareSessions = async (one: Release, other: Release): Promise<void> => {
  for (const kind of ACCOUNT_KINDS) {
    const [here, there] = [one, other].map(({ addresses }) => createAuthClient(addresses.gatewayUrl, kind));
    if (!here || !there) throw new Error('Two releases are required');
    const account = await here.createAccount();
    let device = await there.openDevice(account);
    for (let count = 0; count < REFRESHES; count += 1)
      device = await (count % 2 === 0 ? here : there).expectSignedIn(device);
    const newPassword = `${PASSWORD} 2`;
    const change = { currentPassword: PASSWORD, newPassword };
    expect((await here.changePassword(device, change)).status).to.equal(204);
    const changed = await there.openDevice({ email: account.email, password: newPassword });
    expect((await here.signOut(changed)).status).to.equal(204);
    expectError(await there.me(changed), 401, 'TOKEN_INVALID');
  }
};

/** A superseded token is recognized at either release. */
export const detectReuse = async (one: Release, other: Release): Promise<void> => {
  const [here, there] = [one, other].map(({ addresses }) => createAuthClient(addresses.gatewayUrl, CUSTOMER));
  if (!here || !there) throw new Error('Two releases are required');
  const first = await here.openDevice(await here.createAccount());
  const second = await here.refreshed(first);
  expectError(await there.refresh(first), 401, 'REFRESH_TOKEN_SUPERSEDED');
  const third = await there.refreshed(second);
  expectError(await there.refresh(first), 401, 'REFRESH_TOKEN_REUSED');
  expectError(await here.me(third), 401, 'TOKEN_INVALID');
};

/** What an administrator changes at one release takes effect at the other. */
export const shareBackOffice = async (
  one: Release,
  other: Release,
  { records }: FlowFixture,
): Promise<void> => {
  const [here, there] = [one.addresses.gatewayUrl, other.addresses.gatewayUrl];
  const admin = await createAuthClient(here, ADMINISTRATOR).openDevice(await records.user(['ADMIN']));
  const headers = bearer(admin);
  const project = await records.project();
  const title = `Edited ${uniqueEmail()}`;
  const path = `/api/v1/projects/${project}`;
  const edited = await send(here, 'PATCH', path, { headers, body: { title } });
  expect(edited.status, edited.text).to.equal(200);
  expect((await send(there, 'GET', path, { headers })).body.title).to.equal(title);

  const customers = createAuthClient(there, CUSTOMER);
  const account = await customers.createAccount();
  const device = await customers.openDevice(account);
  const blocked = await send(here, 'PATCH', `/api/v1/users/${account.userId}/block`, { headers });
  expect(blocked.status, blocked.text).to.equal(200);
  expectError(await customers.me(device), 401, 'USER_BLOCKED');
  for (const list of ['users', 'projects', 'administrator/teams', 'administrator/audit-log']) {
    const { status, text } = await send(there, 'GET', `/api/v1/${list}?perPage=5`, { headers });
    expect(status, `${list}: ${text}`).to.equal(200);
  }
};

/** Mails that one release queues while only the other's worker runs. */
export const sendMails = async (queueing: Release, { inboxUrl }: FlowFixture): Promise<void> => {
  const { gatewayUrl } = queueing.addresses;
  const inbox = createInboxClient(inboxUrl);
  const client = createAuthClient(gatewayUrl, CUSTOMER);
  const account = await client.createAccount();
  const device = await client.openDevice(account);
  expect((await client.sendVerificationCode(device)).status).to.be.below(300);
  const code = codeIn(await inbox.untilMail(account.email, 'Your verification code'));
  const verified = await client.verifyEmail(device, { code });
  expect(verified.status, verified.text).to.be.below(300);
  const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` };
  expect((await client.changePassword(device, change)).status).to.equal(204);
  await inbox.untilMail(account.email, 'Your password was changed');
  const body = { name: 'Ada', email: uniqueEmail(), message: 'A shop, please.' };
  expect((await send(gatewayUrl, 'POST', '/api/v1/contact/lead', { body })).status).to.equal(204);
  await waitFor('the form arrives', async () =>
    (await inbox.mailsTo(CONTACT_INBOX)).some(({ text }) => text.includes(body.email)),
  );
};

const countCleanups = async ({ addresses }: Release, outcome: 'success' | 'failure'): Promise<number> => {
  const page = parseMetrics(await (await fetch(`${addresses.opsUrls.worker}/metrics`)).text());
  return page
    .filter(({ name, labels }) => name === 'cleanup_runs_total' && labels['outcome'] === outcome)
    .reduce((sum, { value }) => sum + value, 0);
};

/** The nightly cleanup of the only worker that runs: it removes an expired session, and leaves a valid one. */
export const cleanUp = async (release: Release, { records }: FlowFixture): Promise<void> => {
  const client = createAuthClient(release.addresses.gatewayUrl, CUSTOMER);
  const [expired, valid] = [await client.createAccount(), await client.createAccount()];
  await client.openDevice(expired);
  const device = await client.openDevice(valid);
  await records.query(
    `update token_records set refresh_token_expired_at = now() - interval '1 day' where user_id = $1`,
    [expired.userId],
  );
  const redis = createClient({ url: release.addresses.redisUrl });
  await redis.connect();
  const queue = new Queue(MAINTENANCE_QUEUE, { connection: redis });
  try {
    const before = await countCleanups(release, 'success');
    await queue.add('remove-expired-tokens', {});
    await waitFor(
      'the cleanup job has succeeded',
      async () => (await countCleanups(release, 'success')) > before,
      30,
    );
  } finally {
    await queue.close();
    redis.destroy();
  }
  expect(await countCleanups(release, 'failure')).to.equal(0);
  const rows = await records.query('select 1 from token_records where user_id = $1', [expired.userId]);
  expect(rows).to.deep.equal([]);
  await client.expectSignedIn(device);
};
