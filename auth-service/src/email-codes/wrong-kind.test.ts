import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('code that is requested for another kind than that of the account', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('employee');

  const requestReset = (email: string) => client().resetPasswordEmailCodeSend({ body: { email } });
  const requestSignIn = (email: string) => client().signInEmailCodeSend({ body: { email } });
  const outboxOf = (userId: string) =>
    records.query<{ mail: object }>('select mail from mail_outbox where user_id = $1', [userId]);
  const untilMailed = (userId: string, count: number) =>
    waitFor('the mail is in the outbox', async () => (await outboxOf(userId)).length === count);

  it('is not sent, and the owner is mailed which kind it is', async () => {
    const { email, userId } = await service().as('customer').createAccount();
    expect((await requestReset(email.toUpperCase())).status).to.equal(200);
    await untilMailed(userId, 1);
    expect((await requestSignIn(email)).status).to.equal(200);
    await untilMailed(userId, 2);
    const [first, second] = await outboxOf(userId);
    const mail = { template: 'wrong-kind', to: email, language: 'en', roles: ['CUSTOMER'], timeZone: null };
    expect([first?.mail, second?.mail]).to.deep.equal([mail, mail]);
    expect(await service().mails.queuedFor(email)).to.deep.equal([]);
  });

  it('has the response of an unknown e-mail, to which nothing is mailed', async () => {
    const { email, userId } = await service().as('customer').createAccount();
    const unknown = uniqueEmail();
    for (const request of [requestReset, requestSignIn])
      for (let round = 0; round < 2; round += 1)
        expect(observable(await request(email))).to.deep.equal(observable(await request(unknown)));
    expectError(await requestReset(email), 429, 'RESEND_LOCKED');
    // Locked requests mail nothing.
    await untilMailed(userId, 2);
    expect(await service().mails.outboxFor(unknown)).to.deep.equal([]);
  });

  it('mails nothing where the account is of the kind', async () => {
    const { email, userId } = await client().createAccount();
    expect((await requestReset(email)).status).to.equal(200);
    const other = await service().as('customer').createAccount();
    await requestReset(other.email);
    await untilMailed(other.userId, 1);
    expect(await outboxOf(userId)).to.deep.equal([]);
  });

  it('mails nothing when the account is deleted meanwhile', async () => {
    const { email, userId } = await service().as('customer').createAccount();
    const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [userId]);
    expect((await requestReset(email)).status).to.equal(200);
    await deletion.commitWhenWaiting(1);
    const other = await service().as('customer').createAccount();
    await requestReset(other.email);
    await untilMailed(other.userId, 1);
    expect(await service().mails.outboxFor(email)).to.deep.equal([]);
  });
});
