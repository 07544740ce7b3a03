import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const ADDRESS = '203.0.113.77';
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const ORIGIN = { 'X-Forwarded-For': ADDRESS, 'Accept-Language': 'en', 'User-Agent': USER_AGENT };

describe('new device notice', () => {
  const service = useAuthService({ NEW_DEVICE_NOTICE: 'on' });
  const client = () => service().as('customer');

  it("reports the second device with time, address and user agent, in the account's language", async () => {
    const account = await service().as('customer').createVerifiedAccount();
    await queryDatabase(service().databaseUrl, "update users set language = 'de' where id = $1", [
      account.userId,
    ]);
    const first = uniqueFingerprint();
    await client().openDevice(account, first);
    await client().openDevice(account, first);
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
    const { email, password } = account;
    const startedAt = Date.now();
    const response = await client().signIn({
      fingerprint: uniqueFingerprint(),
      body: { email: email.toUpperCase(), password },
      headers: ORIGIN,
    });
    expect(response.status, response.text).to.equal(200);
    const [mail, ...others] = await service().mails.outboxFor(email);
    expect(others).to.deep.equal([]);
    if (mail?.template !== 'new-device') throw new Error(`The template is ${mail?.template}`);
    expect(mail).to.include({
      language: 'de',
      address: ADDRESS,
      userAgent: USER_AGENT,
      signedInAt: response.body.session.updatedAt,
    });
    expect(Date.parse(mail.signedInAt)).to.be.within(startedAt - 60_000, Date.now() + 60_000);
  });

  it('is not sent for a known device on any network, or for a failed sign-in', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    const known = await client().openDevice(account);
    const other = await client().openDevice(account);
    const count = async () => (await service().mails.outboxFor(account.email)).length;
    expect(await count()).to.equal(1);
    await client().signOut(other);
    for (const device of [known, other]) {
      const { email, password } = account;
      expect(
        (
          await client().signIn({
            fingerprint: device.fingerprint,
            body: { email, password },
            headers: ORIGIN,
          })
        ).status,
      ).to.equal(200);
    }
    await client().expectNoSignIn({ email: account.email, password: 'wrong' });
    expect(await count()).to.equal(1);
  });

  it('reports the first device after the sessions were forgotten, and no device if there were none', async () => {
    for (const [sessions, notices] of [
      [1, 1],
      [0, 0],
    ] as const) {
      const account = await client().createVerifiedAccount();
      for (let count = 0; count < sessions; count += 1) await client().openDevice(account);
      const code = await client().requestResetCode(account.email);
      const body = { email: account.email, code, newPassword: 'A better horse 2' };
      expect((await client().resetPasswordEmailCode({ body })).status).to.equal(204);
      await client().openDevice({ email: account.email, password: body.newPassword });
      const templates = await service().mails.templatesFor(account.email);
      expect(templates.filter((template) => template === 'new-device')).to.have.lengthOf(notices);
    }
  });

  it('reports the first device after a cleanup has deleted the old sessions', async () => {
    const account = await client().createVerifiedAccount();
    await client().openDevice(account);
    await queryDatabase(service().databaseUrl, 'delete from sessions where user_id = $1', [account.userId]);
    await client().openDevice(account);
    expect(await service().mails.templatesFor(account.email)).to.include('new-device');
  });

  it('reports the second of the first two devices, which sign in at the same time', async () => {
    const account = await client().createVerifiedAccount();
    const text = 'select 1 from users where id = $1 for no key update';
    const lock = await holdLock(service().databaseUrl, text, [account.userId]);
    const opened = [client().openDevice(account), client().openDevice(account)];
    await lock.releaseWhenWaiting(2);
    await Promise.all(opened);
    const templates = await service().mails.templatesFor(account.email);
    expect(templates.filter((template) => template === 'new-device')).to.have.lengthOf(1);
  });

  it('is not sent to an address that is not verified', async () => {
    const account = await client().createAccount();
    for (const _ of [1, 2]) await client().openDevice(account);
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
  });

  it('reports a new device once when it signs in many times at once', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    await client().openDevice(account);
    const fingerprint = uniqueFingerprint();
    await Promise.all(Array.from({ length: 5 }, () => client().openDevice(account, fingerprint)));
    expect(await service().mails.outboxFor(account.email)).to.have.lengthOf(1);
  });
});

describe('new device notice by default', () => {
  const service = useAuthService();

  it('sends no mail', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    await service().as('customer').openDevice(account);
    await service().as('customer').openDevice(account);
    const mails = await queryDatabase(service().databaseUrl, 'select mail from mail_outbox');
    expect(mails).to.deep.equal([]);
  });
});
