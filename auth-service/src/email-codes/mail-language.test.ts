import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NEW_PASSWORD = 'A better horse 2';
const GERMAN = { 'Accept-Language': 'de' };

/** The rules of RFC 9110, section 12.5.4. */
const CHOICES: [acceptLanguage: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['en', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de-CH-1996, de;q=0.9', 'de'],
  ['fr-FR, fr;q=0.9, de;q=0.5, en;q=0.2', 'de'],
  ['en-US, en;q=0.9, de;q=0.8', 'en'],
  ['de;q=0, *', 'en'],
  ['fr', 'en'],
  ['den', 'en'],
  ['constructor, __proto__', 'en'],
  [';;;q=,,', 'en'],
  [`${'fr, '.repeat(500)}de`, 'de'],
];

describe('mail language', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const languagesFor = async (email: string) =>
    [...(await service().mails.queuedFor(email)), ...(await service().mails.outboxFor(email))].map((mail) => [
      mail.template,
      'language' in mail && mail.language,
    ]);
  const storedLanguage = async (email: string) => {
    const query = 'select language from users where email = $1';
    const [user] = await queryDatabase<{ language: string }>(service().databaseUrl, query, [email]);
    return user?.language;
  };
  const untilStored = (email: string, language: string) =>
    waitFor(`${language} is stored`, async () => (await storedLanguage(email)) === language);
  const createAccount = async () => {
    const { account, device } = await client().createAccountAndDevice();
    return { ...account, device };
  };

  it("follows the user's last signed-in request with a supported language", async () => {
    const { email, device } = await createAccount();
    await client().me({ ...device, headers: GERMAN });
    await untilStored(email, 'de');
    for (const other of ['*', 'fr', ''])
      await client().me({ ...device, headers: { 'Accept-Language': other } });
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await client().resetPasswordMe({ ...device, body: change })).status).to.equal(204);
    expect(await languagesFor(email)).to.deep.equal([
      ['verification-code', 'de'],
      ['password-changed', 'de'],
    ]);
    await client().me({ ...device, headers: { 'Accept-Language': 'en-GB' } });
    await untilStored(email, 'en');
  });

  it('follows a refresh', async () => {
    const { email, device } = await createAccount();
    expect((await client().refreshToken({ ...device, headers: GERMAN })).status).to.equal(200);
    await untilStored(email, 'de');
  });

  it("does not depend on requests without the user's own token", async () => {
    const { email, password, device } = await createAccount();
    expectError(
      await client().signIn({
        fingerprint: uniqueFingerprint(),
        body: { email, password: WRONG_PASSWORD },
        headers: GERMAN,
      }),
      401,
      'INVALID_CREDENTIALS',
    );
    expect(
      (
        await client().signIn({
          fingerprint: uniqueFingerprint(),
          body: { email, password },
          headers: GERMAN,
        })
      ).status,
    ).to.equal(200);
    expect((await client().resetPasswordEmailCodeSend({ body: { email }, headers: GERMAN })).status).to.equal(
      200,
    );
    const other = await createAccount();
    await client().me({ ...other.device, headers: GERMAN });
    await untilStored(other.email, 'de');
    const reset = { email, code: await service().mails.codeFor(email), newPassword: NEW_PASSWORD };
    expect((await client().resetPasswordEmailCode({ body: reset, headers: GERMAN })).status).to.equal(204);
    expectError(await client().me({ ...device, headers: GERMAN }), 401, 'TOKEN_INVALID');
    expect(await languagesFor(email)).to.deep.equal([
      ['reset-password-code', 'en'],
      ['password-changed', 'en'],
    ]);
    expect(await storedLanguage(email)).to.equal('en');
  });

  it('is the default in the decoy for an unknown e-mail', async () => {
    for (const acceptLanguage of ['de', 'en', 'fr']) {
      const before = (await service().mails.queued()).length;
      const headers = { 'Accept-Language': acceptLanguage };
      const email = uniqueEmail();
      const { status } = await client().resetPasswordEmailCodeSend({ body: { email }, headers });
      expect(status).to.equal(200);
      const [decoy, ...others] = (await service().mails.queued()).slice(before);
      expect(others).to.deep.equal([]);
      expect(decoy).to.include({ template: 'reset-password-code', to: email, language: 'en', isDecoy: true });
    }
  });

  it('of an administrator is that of the registration at first', async () => {
    const { device } = await service().as('administrator').createAccountAndDevice();
    const email = uniqueEmail();
    const headers = { ...GERMAN, Authorization: `Bearer ${device.accessToken}` };
    const body = { email, password: PASSWORD };
    const response = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, { headers, body });
    expect(response.status, response.text).to.equal(201);
    expect(await storedLanguage(email)).to.equal('de');
  });

  for (const [acceptLanguage, language] of CHOICES)
    it(`becomes ${language} after a sign-up with Accept-Language: ${acceptLanguage?.slice(0, 40)}`, async () => {
      const email = uniqueEmail();
      const { status } = await send(service().url, 'POST', `${CUSTOMER.path}/sign-up`, {
        headers: { 'Accept-Language': acceptLanguage },
        body: { email, password: PASSWORD },
      });
      expect(status).to.equal(201);
      expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
      expect(await languagesFor(email)).to.deep.equal([['reset-password-code', language]]);
    });
});

describe('time zone of mails', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const storedTimeZone = async (email: string) => {
    const query = 'select time_zone as "timeZone" from users where email = $1';
    const [user] = await queryDatabase<{ timeZone: string | null }>(service().databaseUrl, query, [email]);
    return user?.timeZone;
  };
  const untilStored = (email: string, timeZone: string) =>
    waitFor(`${timeZone} is stored`, async () => (await storedTimeZone(email)) === timeZone);
  const inTimeZone = (timeZone: string) => ({ 'X-Time-Zone': timeZone });

  for (const [sent, stored] of [
    [undefined, null],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Mars/Olympus_Mons', null],
    ['+01:00', null],
    ['', null],
    ["Europe/Berlin' --", null],
    ['A'.repeat(5_000), null],
  ] as const)
    it(`is ${stored} after a sign-up with X-Time-Zone: ${sent?.slice(0, 40)}`, async () => {
      const email = uniqueEmail();
      const { status } = await send(service().url, 'POST', `${CUSTOMER.path}/sign-up`, {
        headers: { 'X-Time-Zone': sent },
        body: { email, password: PASSWORD },
      });
      expect(status).to.equal(201);
      expect(await storedTimeZone(email)).to.equal(stored);
    });

  it("follows the user's own requests and refreshes, and ignores unknown ones", async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email } = account;
    await client().me({ ...device, headers: inTimeZone('Asia/Tokyo') });
    await untilStored(email, 'Asia/Tokyo');
    for (const unknown of ['Mars/Olympus_Mons', '-05:00'])
      expect((await client().me({ ...device, headers: inTimeZone(unknown) })).status).to.equal(200);
    const { status } = await client().refreshToken({ ...device, headers: inTimeZone('Asia/Kolkata') });
    expect(status).to.equal(200);
    await untilStored(email, 'Asia/Kolkata');
  });

  it("does not depend on requests without the user's own token, and is part of notices and the export", async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email, password } = account;
    await client().me({ ...device, headers: inTimeZone('Asia/Tokyo') });
    await untilStored(email, 'Asia/Tokyo');
    const stranger = { fingerprint: uniqueFingerprint(), headers: inTimeZone('Europe/Paris') };
    expect((await client().signIn({ ...stranger, body: { email, password } })).status).to.equal(200);
    expect((await client().accountExport(device)).body.user).to.include({ timeZone: 'Asia/Tokyo' });
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const response = await client().resetPasswordMe({ ...device, body: change });
    expect(response.status, response.text).to.equal(204);
    const [notice] = await service().mails.outboxFor(email);
    expect(notice).to.deep.include({
      template: 'password-changed',
      timeZone: 'Asia/Tokyo',
      roles: ['CUSTOMER'],
    });
  });

  it('is deleted with the account, whose last notice still has it', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email } = account;
    await client().me({ ...device, headers: inTimeZone('Asia/Tokyo') });
    await untilStored(email, 'Asia/Tokyo');
    const body = { currentPassword: PASSWORD };
    const { body: me } = await client().me(device);
    const response = await client().accountDelete({ ...device, body });
    expect(response.status, response.text).to.equal(204);
    const query = 'select time_zone as "timeZone" from users where id = $1';
    expect(await queryDatabase(service().databaseUrl, query, [me.user.id])).to.deep.equal([
      { timeZone: null },
    ]);
    const [notice] = await service().mails.outboxFor(email);
    expect(notice).to.include({ template: 'account-deleted', timeZone: 'Asia/Tokyo' });
  });
});
