import { bearer } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { waitFor } from '@platform/shared/testing/poll';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { deleteResendLocks } from '../code-time.ts';
import { usePlatformWithMails } from './use-platform.ts';

const DELIVERY_SECONDS = 60;

type Listed = { id: string; mail: string; recipient: string; state: string; failure: string | null };

describe('failed mails', () => {
  const platform = usePlatformWithMails();
  let administrator: Device;
  before('sign an administrator in', async () => {
    const { as, records } = platform();
    administrator = await as('administrator').openDevice(await records.user(['ADMIN']));
  });

  const call = (method: string, path: string) =>
    send(platform().stack.gatewayUrl, method, `/api/v1/administrator/mails${path}`, {
      headers: bearer(administrator),
    });
  const untilFailed = (mail: string) =>
    waitFor(`${mail} fails`, async (): Promise<Listed | undefined> => {
      const { body } = await call('GET', '?state=failed');
      return body.data.find((each: Listed) => each.mail === mail);
    });
  const untilSentTo = (address: string) =>
    waitFor(
      `a mail to ${address}`,
      () =>
        platform()
          .smtp.mails()
          .find(({ to }) => to.includes(address)),
      DELIVERY_SECONDS,
    );
  const submitForm = () =>
    send(platform().stack.gatewayUrl, 'POST', '/api/v1/contact/support', {
      body: { email: uniqueEmail(), subject: 'Help', message: 'Please' },
    });
  it('of the outbox are listed with the reason, and are sent or discarded', async () => {
    const inbox = 'contact@example.com';
    platform().smtp.refuse(inbox, { at: 'recipient', code: 550, times: 2 });
    expect((await submitForm()).status).to.equal(204);
    const { id, failure, ...mail } = await untilFailed('support-request');
    expect(mail).to.include({ recipient: 'c…@example.com', attempts: 1, nextAttemptAt: null });
    expect(failure)
      .to.match(/^Rejected: .*550/)
      .and.not.to.include(inbox);
    expect((await call('POST', `/${id}/retry`)).status).to.equal(204);
    const isRejectedAgain = () => platform().smtp.attemptsFor(inbox).length === 2;
    await waitFor('the second rejection', isRejectedAgain, DELIVERY_SECONDS);
    await untilFailed('support-request');
    expect((await call('POST', `/${id}/retry`)).status).to.equal(204);
    await untilSentTo(inbox);
    await waitFor('the list is empty', async () => (await call('GET', '')).body.total === 0);
    expectError(await call('POST', `/${id}/retry`), 404, 'MAIL_NOT_FOUND');

    platform().smtp.refuse(inbox, { at: 'recipient', code: 550, times: 1 });
    await submitForm();
    const discarded = await untilFailed('support-request');
    expect((await call('DELETE', `/${discarded.id}`)).status).to.equal(204);
    expect((await call('GET', '')).body.total).to.equal(0);
  });

  it('with a code are sent again only while the code is valid', async () => {
    const client = platform().as('customer');
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    platform().smtp.refuse(account.email, { at: 'recipient', code: 550, times: 2 });
    expect((await client.verificationEmailCode(device)).status).to.equal(200);
    const first = await untilFailed('verification-code');
    await deleteResendLocks(platform().stack.redisUrl);
    expect((await client.verificationEmailCode(device)).status).to.equal(200);
    const second = await waitFor('the second code fails', async (): Promise<Listed | undefined> => {
      const { body } = await call('GET', '?state=failed');
      return body.data.find((each: Listed) => each.mail === 'verification-code' && each.id !== first.id);
    });
    expectError(await call('POST', `/${first.id}/retry`), 409, 'MAIL_EXPIRED');
    expect((await call('POST', `/${second.id}/retry`)).status).to.equal(204);
    const { text } = await untilSentTo(account.email);
    const code = /^\d{6}/m.exec(text)?.[0];
    const checked = await client.verificationEmailCodeCheck({ ...device, body: { code: code ?? '' } });
    expect(checked.status, checked.text).to.equal(200);
  });
});
