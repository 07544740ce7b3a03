import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createVerifiedAccount } from '../../testing/auth-service.ts';
import { createOwnAccountClient } from '../../testing/own-account-client.ts';
import {
  createProviderClient,
  newPerson,
  REDIRECT_URI,
  useProviderService,
  visit,
} from '../../testing/provider-service.ts';
import { expectWrongPassword } from '../../testing/second-factor-account.ts';

const CONFIRMED = { currentPassword: PASSWORD };

describe('identities of an account', () => {
  const service = useProviderService();

  const auth = () => service().client(CUSTOMER);
  const client = () => createProviderClient(service(), CUSTOMER);

  const link = async (device: Device, claims: object, confirmation: object = CONFIRMED) => {
    service().provider.misbehave({ claims: { ...claims } });
    const callbackUrl = await visit(await client().startLink(device, 'company', confirmation));
    return await client().link(device, 'company', callbackUrl);
  };
  const openAccount = async () => {
    const account = await createVerifiedAccount(service(), CUSTOMER);
    return { account, device: await auth().openDevice(account) };
  };
  /** Creates an account to which only an identity signs in. */
  const openWithoutPassword = async () => {
    const { userId, email } = await createVerifiedAccount(service(), CUSTOMER);
    const person = newPerson(email);
    const signIn = async (claims: object = {}) =>
      auth().toDevice(await service().signInWith('company', CUSTOMER, { ...person, ...claims }));
    const device = await signIn();
    await service().records.query('update users set password_hash = null where id = $1', [userId]);
    const [identity] = (await client().identities(device)).body.data;
    return { userId, person, device, identity, signIn };
  };

  it('are linked, listed, used and unlinked', async () => {
    const { account, device } = await openAccount();
    const person = newPerson('elsewhere@example.org');
    const other = await auth().openDevice(account);
    const linked = await link(device, person);
    expect(linked.status, linked.text).to.equal(201);
    await auth().expectSignedOut(other);
    expect(linked.body).to.include({ provider: 'company', email: person.email, lastUsedAt: null });
    expect((await link(device, person)).body).to.deep.equal(linked.body);
    const signedIn = await service().signInWith('open', CUSTOMER, person);
    expect(signedIn.body.user, signedIn.text).to.include({ id: account.userId });
    const listed = await client().identities(device);
    expect(listed.body).to.deep.include({ hasPassword: true });
    expect(listed.body.data[0].lastUsedAt).to.be.a('string');

    const { id } = linked.body;
    expectWrongPassword(await client().unlink(device, id));
    expectWrongPassword(await client().unlink(device, id, { currentPassword: WRONG_PASSWORD }));
    expect((await client().unlink(device, id, CONFIRMED)).status).to.equal(204);
    await auth().expectSignedOut(auth().toDevice(signedIn));
    const refreshed = await auth().expectSignedIn(device);
    expectError(await client().unlink(refreshed, id, CONFIRMED), 404, 'IDENTITY_NOT_FOUND');
    expect(await service().templatesFor(account.email)).to.deep.equal([
      'identity-linked',
      'identity-unlinked',
    ]);
  });

  it('belong to one account only', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const person = newPerson();
    expect((await link(one.device, person)).status).to.equal(201);
    expectError(await link(other.device, person), 409, 'IDENTITY_TAKEN');
  });

  it('need a verified address', async () => {
    const { device } = await auth().createAccountAndDevice();
    expectError(await client().startLink(device, 'company', CONFIRMED), 403, 'EMAIL_NOT_VERIFIED');
  });

  it('are linked only in the session that started the link, and not by a sign-in', async () => {
    const { account, device } = await openAccount();
    const { fingerprint } = device;
    const other = await auth().openDevice(account);
    for (const attempt of [
      (callbackUrl: string) => client().link(other, 'company', callbackUrl),
      (callbackUrl: string) => client().link(device, 'open', callbackUrl),
      (callbackUrl: string) => client().signIn('company', callbackUrl, { fingerprint }),
    ]) {
      const callbackUrl = await visit(await client().startLink(device, 'company', CONFIRMED));
      expectError(await attempt(callbackUrl), 401, 'OIDC_STATE_INVALID');
    }
    const callbackUrl = await visit(await client().authorize('company', fingerprint));
    expectError(await client().link(device, 'company', callbackUrl), 401, 'OIDC_STATE_INVALID');
  });

  it('are not unlinked when there is no other way to sign in', async () => {
    const { device, identity } = await openWithoutPassword();
    expectError(await client().unlink(device, identity.id), 409, 'LAST_SIGN_IN_METHOD');
    const second = await link(device, newPerson(), {});
    expect(second.status, second.text).to.equal(201);
    const removed = await Promise.all([identity, second.body].map(({ id }) => client().unlink(device, id)));
    expect(removed.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
  });

  it('without a password need a recent sign-in', async () => {
    const { userId, device, identity, signIn } = await openWithoutPassword();
    // Makes the session look as if it had been signed in long ago.
    const text = "update token_records set authenticated_at = now() - interval '301 s' where user_id = $1";
    await service().records.query(text, [userId]);
    expectError(await client().unlink(device, identity.id), 403, 'REAUTHENTICATION_REQUIRED');
    expectError(await client().startLink(device, 'company', {}), 403, 'REAUTHENTICATION_REQUIRED');
    expect((await client().startLink(await signIn(), 'company', {})).status).to.equal(200);
  });

  it('change at most ten times an hour', async () => {
    const { account, device } = await openAccount();
    await service().records.query(
      `insert into audit_records (action, target_type, target_id, request_id, address)
         select 'IDENTITY_LINKED', 'USER', $1, 'r', 'a' from generate_series(1, 10)`,
      [account.userId],
    );
    expectError(await link(device, newPerson()), 429, 'RATE_LIMITED');
    const signedIn = await service().signInWith('company', CUSTOMER, newPerson(account.email));
    expectError(signedIn, 429, 'RATE_LIMITED');
  });

  it('of an account without a password need a proof at the provider, for which single sign-on is not enough', async () => {
    const { identity, signIn } = await openWithoutPassword();
    const lastWeek = Math.floor(Date.now() / 1_000) - 7 * 86_400;
    for (const authTime of [lastWeek, undefined]) {
      const device = await signIn({ auth_time: authTime });
      expectError(await client().unlink(device, identity.id), 403, 'REAUTHENTICATION_REQUIRED');
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
    const { person, device } = await openWithoutPassword();
    const own = createOwnAccountClient(auth());
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
});
