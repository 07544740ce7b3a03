import {
  ACCOUNT_KINDS,
  type AccountKind,
  ADMINISTRATOR,
  ALL_KINDS,
  CUSTOMER,
  otherKind,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { composeAuthService, useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider } from '../../testing/provider.ts';
import { expectChallengeInvalid, expectFactorInvalid, WRONG_CODE } from '../../testing/second-factor.ts';

describe('sign-in with a provider', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const actionsOf = async (userId: string): Promise<string[]> => {
    const text = `select action from audit_records where target_id = $1 and action not in ('ACCOUNT_REGISTERED', 'SIGNED_IN')
      order by created_at, id`;
    const rows = await service().records.query<{ action: string }>(text, [userId]);
    return rows.map(({ action }) => action);
  };

  it('lists the providers of the kind', async () => {
    const list = async (kind: AccountKind) => (await service().as(kind).oidcProviders()).body.data;
    const company = { id: 'company', name: 'Company' };
    const others = ['open', 'closed', 'clients'].map((id) => ({ id, name: id }));
    expect(await list(CUSTOMER)).to.deep.equal([company, ...others]);
    expect(await list(ADMINISTRATOR)).to.deep.equal([company, ...others.slice(0, 2)]);
  });

  it('passes on the address that the provider may fill in, and no other text', async () => {
    const authorize = (hint: object) =>
      service()
        .as(CUSTOMER)
        .oidcAuthorize({
          provider: 'company',
          fingerprint: uniqueFingerprint(),
          body: { ...redirectTo('company'), ...hint },
        });
    const readHint = async (hint: object) =>
      new URL((await authorize(hint)).body.authorizationUrl).searchParams.get('login_hint');
    expect(await readHint({ loginHint: 'ada+shop@example.com' })).to.equal('ada+shop@example.com');
    expect(await readHint({})).to.equal(null);
    for (const loginHint of ['ada', '', 'a@b\nc', null])
      expectError(await authorize({ loginHint }), 400, 'VALIDATION_FAILED', '/body/loginHint');
  });

  for (const kind of ACCOUNT_KINDS)
    it(`creates an account of ${kind.plural}, and signs in to it again`, async () => {
      const person = { ...newPerson(), given_name: 'Ada', family_name: 'Lovelace', sid: 'session' };
      const signedUp = await provider().signInWith(service().as(kind), 'company', person);
      const device = service().as(kind).toDevice(signedUp);
      const { user } = signedUp.body;
      expect(user).to.deep.include({ email: person.email, isEmailVerified: true, roles: [kind.role] });
      const me = await service().as(kind).me(device);
      expect(me.body.profile).to.include({ firstName: 'Ada', lastName: 'Lovelace', phone: null });
      const listed = await service().as(kind).identities(device);
      expect(listed.body.hasPassword).to.equal(false);
      expect(listed.body.data[0]).to.include({ provider: 'company', email: person.email });

      const again = await provider().signInWith(service().as(kind), 'open', {
        ...person,
        email: 'new@example.org',
      });
      expect(again.body.user).to.deep.equal(user);
      const { data } = (await service().as(kind).listSessions(device)).body;
      expect(data.map((session: { methods: string[] }) => session.methods)).to.deep.equal([
        ['oidc:open'],
        ['oidc:company'],
      ]);
      expect(await actionsOf(user.id)).to.deep.equal(['IDENTITY_LINKED', 'IDENTITY_USED', 'IDENTITY_USED']);
      expect(await service().mails.templatesFor(person.email)).to.deep.equal([]);
      await service().as(kind).expectSignedIn(device);
    });

  it('creates an unverified account where the provider may not vouch; the first proof removes its identity', async () => {
    const person = newPerson();
    const signedUp = await provider().signInWith(service().as('customer'), 'open', person);
    expect(signedUp.body.user.isEmailVerified).to.equal(false);
    const newPassword = 'Battery staple 9';
    const code = await service().as('customer').requestResetCode(person.email);
    const reset = await service()
      .as('customer')
      .resetPasswordEmailCode({ body: { email: person.email, code, newPassword } });
    expect(reset.status, reset.text).to.equal(204);
    const rejected = await provider().signInWith(service().as('customer'), 'open', person);
    expectError(rejected, 409, 'ACCOUNT_EXISTS');
    expect(rejected.body.email).to.equal(person.email);
    expect(rejected.headers['cache-control']).to.equal('no-store');
    await service().as('customer').openDevice({ email: person.email, password: newPassword });
  });

  it('keeps the identity whose own session proves the address', async () => {
    const person = newPerson();
    const device = service()
      .as('customer')
      .toDevice(await provider().signInWith(service().as('customer'), 'open', person));
    const code = await service().as('customer').requestVerificationCode(device, person.email);
    expect(
      (
        await service()
          .as('customer')
          .verificationEmailCodeCheck({ ...device, body: { code } })
      ).status,
    ).to.equal(200);
    const again = await provider().signInWith(service().as('customer'), 'open', person);
    expect(again.body.user.isEmailVerified).to.equal(true);
  });

  for (const kind of ALL_KINDS)
    it(`links the verified account of ${kind.plural} with the address, which is audited and mailed`, async () => {
      const account = await service().as(kind).createVerifiedAccount();
      const device = await service().as(kind).openDevice(account);
      const signedIn = await provider().signInWith(service().as(kind), 'closed', newPerson(account.email));
      expect(signedIn.body.user, signedIn.text).to.include({ id: account.userId });
      expect(await service().mails.templatesFor(account.email)).to.deep.equal(['identity-linked']);
      expect(await actionsOf(account.userId)).to.include.members(['IDENTITY_LINKED', 'IDENTITY_USED']);
      await service().as(kind).expectSignedIn(device);
    });

  it('takes over an unverified account: its sessions and password end', async () => {
    const account = await service().as('customer').createAccount();
    const text = 'update users set is_email_verified = false where id = $1';
    await service().records.query(text, [account.userId]);
    const device = await service().as('customer').openDevice(account);
    const signedIn = await provider().signInWith(
      service().as('customer'),
      'company',
      newPerson(account.email),
    );
    expect(signedIn.body.user, signedIn.text).to.include({ id: account.userId, isEmailVerified: true });
    expect(signedIn.body.removedByProof).to.deep.equal(['password']);
    await service().as('customer').expectSignedOut(device);
    await service().as('customer').expectNoSignIn(account);
    expect(await service().mails.templatesFor(account.email)).to.have.members([
      'setup-removed',
      'identity-linked',
    ]);
  });

  it('requires the second factor as after a password', async () => {
    const client = service().as('customer');
    const account = await service().as('customer').createVerifiedAccount();
    const { secret } = await client.enableTotp(await client.openDevice(account));
    const fingerprint = uniqueFingerprint();
    const first = await provider().signInWith(service().as('customer'), 'company', newPerson(account.email), {
      fingerprint,
    });
    const step = { challenge: readChallenge(first), totpCode: totpCode(secret, 1) };
    const device = client.toDevice(await client.signInSecondFactor({ fingerprint, body: step }));
    const [session] = (await client.listSessions(device)).body.data;
    expect(session.methods).to.deep.equal(['oidc:company', 'totp']);
  });

  it('links only after the second factor; a wrong one links nothing, nor does an ended challenge', async () => {
    const { databaseUrl, redis } = service();
    const account = await service().as('customer').createVerifiedAccount();
    const { secret } = await service()
      .as('customer')
      .enableTotp(await service().as('customer').openDevice(account));
    const person = newPerson(account.email);
    const fingerprint = uniqueFingerprint();
    const expectLinks = async (count: number) => {
      const text = 'select id from identities where user_id = $1';
      expect((await queryDatabase(databaseUrl, text, [account.userId])).length).to.equal(count);
      expect((await actionsOf(account.userId)).includes('IDENTITY_LINKED')).to.equal(count > 0);
      expect((await service().mails.templatesFor(account.email)).includes('identity-linked')).to.equal(
        count > 0,
      );
    };
    const start = async () =>
      readChallenge(
        await provider().signInWith(service().as('customer'), 'company', person, { fingerprint }),
      );
    const finish = (challenge: string, code: string) =>
      service()
        .as('customer')
        .signInSecondFactor({ fingerprint, body: { challenge, totpCode: code } });

    const [wrong, expired] = [await start(), await start()];
    const stored = await redis.dump();
    expect(JSON.stringify(stored)).not.to.include(account.email);
    expectFactorInvalid(await finish(wrong, WRONG_CODE));
    await redis.client.del(Object.keys(stored).filter((key) => key.startsWith('sign-in-challenge:')));
    expectChallengeInvalid(await finish(expired, totpCode(secret, 1)));
    await expectLinks(0);
    const signedIn = await finish(await start(), totpCode(secret, 1));
    expect(signedIn.status, signedIn.text).to.equal(200);
    await expectLinks(1);
  });

  const CHANGED_SETTINGS: [change: string, settings: Record<string, string>][] = [
    ['is no longer configured', { OIDC_PROVIDERS: 'open' }],
    ['no longer serves the kind', { OIDC_COMPANY_KINDS: 'employees,administrators' }],
  ];

  for (const [change, settings] of CHANGED_SETTINGS)
    it(`ends at the second step if its provider ${change}`, async () => {
      const { databaseUrl, environment } = service();
      const client = service().as('customer');
      const account = await client.createVerifiedAccount();
      const { secret } = await client.enableTotp(await client.openDevice(account));
      const fingerprint = uniqueFingerprint();
      const person = newPerson(account.email);
      const challenge = readChallenge(
        await provider().signInWith(client, 'company', person, { fingerprint }),
      );
      const other = await composeAuthService(databaseUrl, { ...environment, ...settings });
      await other.connected();
      const body = { challenge, totpCode: totpCode(secret, 1) };
      expectChallengeInvalid(await other.as('customer').signInSecondFactor({ fingerprint, body }));
      await other.stop();
      expect(await actionsOf(account.userId)).not.to.include('IDENTITY_LINKED');
    });

  it('accepts the second factor of a provider where it counts', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    await service()
      .as('customer')
      .enableTotp(await service().as('customer').openDevice(account));
    const person = { ...newPerson(account.email), amr: ['pwd', 'otp'] };
    const device = service()
      .as('customer')
      .toDevice(await provider().signInWith(service().as('customer'), 'company', person));
    const [session] = (await service().as('customer').listSessions(device)).body.data;
    expect(session.methods).to.deep.equal(['oidc:company', 'mfa']);
    readChallenge(
      await provider().signInWith(service().as('customer'), 'company', { ...person, amr: ['pwd'] }),
    );
    readChallenge(await provider().signInWith(service().as('customer'), 'open', person));
  });

  for (const kind of [CUSTOMER, ADMINISTRATOR])
    it(`rejects for ${kind.plural} what the table of SECURITY.md rejects, and audits it for the account`, async () => {
      const { records } = service();
      const own = await service().as(kind).createVerifiedAccount();
      const foreign = await service().as(otherKind(kind)).createVerifiedAccount();
      const known = newPerson();
      await provider().signInWith(service().as(otherKind(kind)), 'company', known);
      const blocked = await service().as(kind).createVerifiedAccount();
      await records.block(blocked.userId);
      const unverified = (email?: string, value: unknown = false) => ({
        ...newPerson(email),
        email_verified: value,
      });
      const closed = kind === ADMINISTRATOR ? 'company' : 'closed';
      const cases: [status: number, code: string, id: string, person: object][] = [
        [403, 'OIDC_EMAIL_UNVERIFIED', 'company', unverified()],
        [403, 'OIDC_EMAIL_UNVERIFIED', 'company', unverified(own.email, 'no')],
        [403, 'OIDC_EMAIL_UNVERIFIED', 'company', newPerson('a@b@example.com')],
        [403, 'OIDC_NO_ACCOUNT', closed, newPerson()],
        [409, 'ACCOUNT_EXISTS', 'open', newPerson(own.email)],
        [409, 'EMAIL_TAKEN', 'company', newPerson(foreign.email)],
        [409, 'EMAIL_TAKEN', 'company', known],
        [401, 'USER_BLOCKED', 'company', newPerson(blocked.email)],
      ];
      if (kind === ADMINISTRATOR)
        cases.push([403, 'DOMAIN_NOT_ALLOWED', 'company', newPerson('admin@example.org')]);
      for (const [status, code, id, person] of cases)
        expectError(await provider().signInWith(service().as(kind), id, person), status, code);
      for (const { userId } of [own, foreign])
        await service().records.waitForFailedSignIn(userId, { kind: kind.kind });
      await service().as(kind).openDevice(own);
    });

  it('counts sign-ins by provider and outcome', async () => {
    const { metric } = service();
    const labels = { kind: 'customer', method: 'oidc:closed', outcome: 'rejected' };
    const before = await metric('sign_ins_total', labels);
    await provider().signInWith(service().as('customer'), 'closed', newPerson());
    expect(await metric('sign_ins_total', labels)).to.equal(before + 1);
    const calls = await metric('oidc_provider_calls_total', { provider: 'closed', outcome: 'success' });
    expect(calls).to.be.above(1);
  });

  it('rejects a platform role in a session of customers from a provider that is not for administrators', async () => {
    const { records } = service();
    const person = newPerson();
    const { body } = await provider().signInWith(service().as('customer'), 'company', person);
    await provider().signInWith(service().as('customer'), 'clients', person);
    await records.giveRole(body.user.id, 'ADMIN');
    expectError(
      await provider().signInWith(service().as('customer'), 'clients', person),
      403,
      'PROVIDER_NOT_ALLOWED',
    );
    const device = service()
      .as('customer')
      .toDevice(await provider().signInWith(service().as('customer'), 'company', person));
    const linked = await service()
      .as('customer')
      .identityAuthorize({ ...device, provider: 'clients', body: redirectTo('clients') });
    expectError(linked, 403, 'PROVIDER_NOT_ALLOWED');
  });
});
