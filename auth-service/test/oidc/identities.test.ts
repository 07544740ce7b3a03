import { type AccountKind, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind, createVerifiedAccount } from '../auth-service.ts';
import { createOwnAccountClient } from '../own-account/own-account-client.ts';
import {
  createProviderClient,
  newPerson,
  REDIRECT_URI,
  useProviderService,
  visit,
} from './provider-service.ts';

const CONFIRMED = { currentPassword: PASSWORD };

describe('identities of an account', () => {
  const service = useProviderService();
  const templatesFor = async (email: string) =>
    (await service().outboxFor(email)).map(({ template }) => template);

  const link = async (
    kind: AccountKind,
    device: Device,
    claims: object,
    confirmation: object = CONFIRMED,
  ) => {
    const client = createProviderClient(service(), kind);
    service().provider.misbehave({ claims: { ...claims } });
    return await client.link(
      device,
      'company',
      await visit(await client.startLink(device, 'company', confirmation)),
    );
  };
  const openAccount = async (kind = CUSTOMER) => {
    const account = await createVerifiedAccount(service(), kind);
    return { account, device: await service().client(kind).openDevice(account) };
  };
  /** Of an account without a password. */
  const openSignedUp = async () => {
    const person = newPerson();
    const device = service()
      .client(CUSTOMER)
      .toDevice(await service().signInWith('company', CUSTOMER, person));
    const [identity] = (await createProviderClient(service(), CUSTOMER).identities(device)).body.data;
    return { person, device, identity };
  };
  /** As if the session had been signed in long ago. */
  const ageSessions = (email: string) =>
    queryDatabase(
      service().databaseUrl,
      "update token_records set authenticated_at = now() - interval '301 s' where user_id = (select id from users where email = $1)",
      [email],
    );

  for (const kind of ALL_KINDS)
    it(`are linked, listed, used and unlinked by ${kind.plural}`, async () => {
      const { account, device } = await openAccount(kind);
      const client = createProviderClient(service(), kind);
      const person = newPerson('elsewhere@example.org');
      const other = await service().client(kind).openDevice(account);
      const linked = await link(kind, device, person);
      expect(linked.status, linked.text).to.equal(201);
      await service().client(kind).expectSignedOut(other);
      expect(linked.body).to.include({ provider: 'company', email: person.email, lastUsedAt: null });
      expect((await link(kind, device, person)).body).to.deep.equal(linked.body);
      const signedIn = await service().signInWith('open', kind, person);
      expect(signedIn.body.user, signedIn.text).to.include({ id: account.userId });
      const listed = await client.identities(device);
      expect(listed.body).to.deep.include({ hasPassword: true });
      expect(listed.body.data[0].lastUsedAt).to.be.a('string');

      const { id } = linked.body;
      expectError(await client.unlink(device, id), 400, 'CURRENT_PASSWORD_WRONG');
      expectError(
        await client.unlink(device, id, { currentPassword: WRONG_PASSWORD }),
        400,
        'CURRENT_PASSWORD_WRONG',
      );
      expect((await client.unlink(device, id, CONFIRMED)).status).to.equal(204);
      await service().client(kind).expectSignedOut(service().client(kind).toDevice(signedIn));
      const refreshed = await service().client(kind).expectSignedIn(device);
      expectError(await client.unlink(refreshed, id, CONFIRMED), 404, 'IDENTITY_NOT_FOUND');
      expect(await templatesFor(account.email)).to.deep.equal(['identity-linked', 'identity-unlinked']);
    });

  it('belong to one account only', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const person = newPerson();
    expect((await link(CUSTOMER, one.device, person)).status).to.equal(201);
    expectError(await link(CUSTOMER, other.device, person), 409, 'IDENTITY_TAKEN');
  });

  it('need a verified address', async () => {
    const account = await createAccountOfKind(service(), CUSTOMER);
    const device = await service().client(CUSTOMER).openDevice(account);
    const started = await createProviderClient(service(), CUSTOMER).startLink(device, 'company', CONFIRMED);
    expectError(started, 403, 'EMAIL_NOT_VERIFIED');
  });

  it('are linked only in the session that has started it, and not by a sign-in', async () => {
    const { account, device } = await openAccount();
    const other = await service().client(CUSTOMER).openDevice(account);
    const client = createProviderClient(service(), CUSTOMER);
    for (const attempt of [
      (callbackUrl: string) => client.link(other, 'company', callbackUrl),
      (callbackUrl: string) => client.link(device, 'open', callbackUrl),
      (callbackUrl: string) => client.signIn('company', callbackUrl, { fingerprint: device.fingerprint }),
    ]) {
      const callbackUrl = await visit(await client.startLink(device, 'company', CONFIRMED));
      expectError(await attempt(callbackUrl), 401, 'OIDC_STATE_INVALID');
    }
    const callbackUrl = await visit(await client.authorize('company', device.fingerprint));
    expectError(await client.link(device, 'company', callbackUrl), 401, 'OIDC_STATE_INVALID');
  });

  it('are not unlinked when nothing else signs in', async () => {
    const { device, identity } = await openSignedUp();
    const client = createProviderClient(service(), CUSTOMER);
    expectError(await client.unlink(device, identity.id), 409, 'LAST_SIGN_IN_METHOD');
    const second = await link(CUSTOMER, device, newPerson(), {});
    expect(second.status, second.text).to.equal(201);
    const removed = await Promise.all([identity, second.body].map(({ id }) => client.unlink(device, id)));
    expect(removed.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
  });

  it('of an account without a password need a recent sign-in', async () => {
    const { person, device, identity } = await openSignedUp();
    await ageSessions(person.email);
    const client = createProviderClient(service(), CUSTOMER);
    expectError(await client.unlink(device, identity.id), 403, 'REAUTHENTICATION_REQUIRED');
    expectError(await client.startLink(device, 'company', {}), 403, 'REAUTHENTICATION_REQUIRED');
    const again = service()
      .client(CUSTOMER)
      .toDevice(await service().signInWith('company', CUSTOMER, person));
    expect((await client.startLink(again, 'company', {})).status).to.equal(200);
  });

  it('of an account without a password need a proof at the provider, which single sign-on is not', async () => {
    const { person, identity } = await openSignedUp();
    const client = createProviderClient(service(), CUSTOMER);
    const lastWeek = Math.floor(Date.now() / 1_000) - 7 * 86_400;
    for (const authTime of [lastWeek, undefined]) {
      const signedIn = await service().signInWith('company', CUSTOMER, { ...person, auth_time: authTime });
      const device = service().client(CUSTOMER).toDevice(signedIn);
      expectError(await client.unlink(device, identity.id), 403, 'REAUTHENTICATION_REQUIRED');
    }
    const maxAges = [];
    for (const reauthenticate of [undefined, true]) {
      const { body } = await send(service().url, 'POST', `${CUSTOMER.path}/oidc/company/authorize`, {
        body: { redirectUri: REDIRECT_URI, reauthenticate },
        headers: { 'X-Fingerprint': 'x' },
      });
      maxAges.push(new URL(body.authorizationUrl).searchParams.get('max_age'));
    }
    expect(maxAges).to.deep.equal(['2592000', '300']);
  });

  it('are exported, and removed with the account, whose identity may sign up again', async () => {
    const { person, device } = await openSignedUp();
    const own = createOwnAccountClient(service().client(CUSTOMER));
    const exported = await own.exportAccount(device);
    expect(exported.body.hasPassword).to.equal(false);
    expect(exported.body.identities[0]).to.include({
      issuer: service().provider.issuer,
      subject: person.sub,
      provider: 'company',
      email: person.email,
    });
    const { id } = exported.body.user;
    expect((await own.deleteAccount(device, {})).status).to.equal(204);
    const again = await service().signInWith('company', CUSTOMER, person);
    expect(again.body.user.id, again.text).not.to.equal(id);
  });

  it('change ten times an hour at most', async () => {
    const { account, device } = await openAccount();
    await queryDatabase(
      service().databaseUrl,
      `insert into audit_records (action, target_type, target_id, request_id, address)
       select 'IDENTITY_LINKED', 'USER', $1, 'r', 'a' from generate_series(1, 10)`,
      [account.userId],
    );
    expectError(await link(CUSTOMER, device, newPerson()), 429, 'RATE_LIMITED');
    expectError(
      await service().signInWith('company', CUSTOMER, newPerson(account.email)),
      429,
      'RATE_LIMITED',
    );
  });
});

describe('user with a platform role, in a session as customer', () => {
  const service = useProviderService();

  it('is neither signed in nor linked by a provider that may not sign in administrators', async () => {
    const client = service().client(CUSTOMER);
    const person = newPerson();
    await service().signInWith('company', CUSTOMER, person);
    await service().signInWith('clients', CUSTOMER, person);
    await queryDatabase(
      service().databaseUrl,
      `insert into user_roles (user_id, role, user_created_at)
         select id, 'ADMIN', created_at from users where email = $1`,
      [person.email],
    );
    expectError(await service().signInWith('clients', CUSTOMER, person), 403, 'PROVIDER_NOT_ALLOWED');
    const device = client.toDevice(await service().signInWith('company', CUSTOMER, person));
    const response = await createProviderClient(service(), CUSTOMER).startLink(device, 'clients', {});
    expectError(response, 403, 'PROVIDER_NOT_ALLOWED');
  });
});
