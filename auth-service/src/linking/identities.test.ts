import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, redirectUriOf, useProvider, visit } from '../../testing/provider.ts';
import { expectPasswordMissing, expectWrongPassword } from '../../testing/second-factor.ts';

const CONFIRMED = { currentPassword: PASSWORD };

describe('identities of an account', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  const auth = () => service().as('customer');
  const client = () => service().as('customer');

  const link = async (device: Device, claims: object, confirmation: object = CONFIRMED) => {
    provider().misbehave({ claims: { ...claims } });
    const callbackUrl = await visit(
      await client().identityAuthorize({
        ...device,
        provider: 'company',
        body: { ...redirectTo('company'), ...confirmation },
      }),
    );
    return await client().identityLink({
      ...device,
      identity: 'company',
      body: { callbackUrl },
    });
  };
  const openAccount = async () => {
    const account = await service().as('customer').createVerifiedAccount();
    return { account, device: await auth().openDevice(account) };
  };
  /** Creates an account to which only an identity signs in. */
  const openWithoutPassword = async () => {
    const { userId, email } = await service().as('customer').createVerifiedAccount();
    const person = newPerson(email);
    const signIn = async (claims: object = {}) =>
      auth().toDevice(
        await provider().signInWith(service().as('customer'), 'company', { ...person, ...claims }),
      );
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
    const signedIn = await provider().signInWith(service().as('customer'), 'open', person);
    expect(signedIn.body.user, signedIn.text).to.include({ id: account.userId });
    const listed = await client().identities(device);
    expect(listed.body).to.deep.include({ hasPassword: true });
    expect(listed.body.data[0].lastUsedAt).to.be.a('string');

    const { id } = linked.body;
    expectPasswordMissing(await client().identityUnlink({ ...device, identity: id, body: {} }));
    expectWrongPassword(
      await client().identityUnlink({ ...device, identity: id, body: { currentPassword: WRONG_PASSWORD } }),
    );
    expect((await client().identityUnlink({ ...device, identity: id, body: CONFIRMED })).status).to.equal(
      204,
    );
    await auth().expectSignedOut(auth().toDevice(signedIn));
    const refreshed = await auth().expectSignedIn(device);
    expectError(
      await client().identityUnlink({ ...refreshed, identity: id, body: CONFIRMED }),
      404,
      'IDENTITY_NOT_FOUND',
    );
    expect(await service().mails.templatesFor(account.email)).to.deep.equal([
      'identity-linked',
      'identity-unlinked',
    ]);
    const changes = ['IDENTITY_LINKED', 'IDENTITY_UNLINKED'];
    const audited = await service().records.auditOf(account.userId, ...changes);
    expect(audited.map(({ action }) => action)).to.have.members(changes);
  });

  it('belong to one account only', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const person = newPerson();
    expect((await link(one.device, person)).status).to.equal(201);
    expectError(await link(other.device, person), 409, 'IDENTITY_TAKEN');
  });

  it('need a verified address', async () => {
    const { device } = await auth().createAccountAndDevice();
    expectError(
      await client().identityAuthorize({
        ...device,
        provider: 'company',
        body: { ...redirectTo('company'), ...CONFIRMED },
      }),
      403,
      'EMAIL_NOT_VERIFIED',
    );
  });

  it('are linked only in the session that started the link, and not by a sign-in', async () => {
    const { account, device } = await openAccount();
    const { fingerprint } = device;
    const other = await auth().openDevice(account);
    for (const attempt of [
      (callbackUrl: string) =>
        client().identityLink({ ...other, identity: 'company', body: { callbackUrl } }),
      (callbackUrl: string) => client().identityLink({ ...device, identity: 'open', body: { callbackUrl } }),
      (callbackUrl: string) =>
        client().oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } }),
    ]) {
      const callbackUrl = await visit(
        await client().identityAuthorize({
          ...device,
          provider: 'company',
          body: { ...redirectTo('company'), ...CONFIRMED },
        }),
      );
      expectError(await attempt(callbackUrl), 401, 'OIDC_STATE_INVALID');
    }
    const callbackUrl = await visit(
      await client().oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
    );
    expectError(
      await client().identityLink({ ...device, identity: 'company', body: { callbackUrl } }),
      401,
      'OIDC_STATE_INVALID',
    );
  });

  it('are not unlinked when there is no other way to sign in', async () => {
    const { userId, device, identity } = await openWithoutPassword();
    const [former] = await service().records.query<{ id: string }>(
      `insert into identities (user_id, provider, issuer, subject)
       values ($1::uuid, 'former', 'https://former.example.com', $1) returning id`,
      [userId],
    );
    const unlink = (id = '') => client().identityUnlink({ ...device, identity: id, body: {} });
    expectError(await unlink(identity.id), 409, 'LAST_SIGN_IN_METHOD');
    expect((await unlink(former?.id)).status).to.equal(204);
    const second = await link(device, newPerson(), {});
    expect(second.status, second.text).to.equal(201);
    const removed = await Promise.all([identity, second.body].map(({ id }) => unlink(id)));
    expect(removed.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
  });

  it('without a password need a recent sign-in', async () => {
    const { userId, device, identity, signIn } = await openWithoutPassword();
    // Makes the session look as if it had been signed in long ago.
    const text = "update token_records set authenticated_at = now() - interval '301 s' where user_id = $1";
    await service().records.query(text, [userId]);
    expectError(
      await client().identityUnlink({ ...device, identity: identity.id, body: {} }),
      403,
      'REAUTHENTICATION_REQUIRED',
    );
    expectError(
      await client().identityAuthorize({ ...device, provider: 'company', body: redirectTo('company') }),
      403,
      'REAUTHENTICATION_REQUIRED',
    );
    expect(
      (
        await client().identityAuthorize({
          ...(await signIn()),
          provider: 'company',
          body: redirectTo('company'),
        })
      ).status,
    ).to.equal(200);
  });

  it('change at most ten times an hour', async () => {
    const { account, device } = await openAccount();
    await service().records.query(
      `insert into audit_records (action, target_type, target_id, request_id, address)
         select 'IDENTITY_LINKED', 'USER', $1, 'r', 'a' from generate_series(1, 10)`,
      [account.userId],
    );
    expectError(await link(device, newPerson()), 429, 'RATE_LIMITED');
    const signedIn = await provider().signInWith(
      service().as('customer'),
      'company',
      newPerson(account.email),
    );
    expectError(signedIn, 429, 'RATE_LIMITED');
  });

  it('of an account without a password need a proof at the provider, for which single sign-on is not enough', async () => {
    const { identity, signIn } = await openWithoutPassword();
    const lastWeek = Math.floor(Date.now() / 1_000) - 7 * 86_400;
    for (const authTime of [lastWeek, undefined]) {
      const device = await signIn({ auth_time: authTime });
      expectError(
        await client().identityUnlink({ ...device, identity: identity.id, body: {} }),
        403,
        'REAUTHENTICATION_REQUIRED',
      );
    }
    const maxAges = [];
    for (const reauthenticate of [undefined, true]) {
      const { body } = await send(service().url, 'POST', `${CUSTOMER.path}/oidc/company/authorize`, {
        body: { redirectUri: redirectUriOf('company'), reauthenticate },
        headers: { 'X-Fingerprint': 'x' },
      });
      maxAges.push(new URL(body.authorizationUrl).searchParams.get('max_age'));
    }
    expect(maxAges).to.deep.equal(['2592000', '300']);
  });

  it('are exported, and removed with the account, whose identity may sign up again', async () => {
    const { person, device } = await openWithoutPassword();
    const own = auth();
    const exported = await own.accountExport(device);
    expect(exported.body.hasPassword).to.equal(false);
    expect(exported.body.identities[0]).to.include({
      issuer: provider().issuer,
      subject: person.sub,
      provider: 'company',
      email: person.email,
    });
    const { id } = exported.body.user;
    expect((await own.accountDelete({ ...device, body: {} })).status).to.equal(204);
    const again = await provider().signInWith(service().as('customer'), 'company', person);
    expect(again.body.user.id, again.text).not.to.equal(id);
  });
});
