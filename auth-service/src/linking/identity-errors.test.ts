import { PASSWORD, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, redirectUriOf, useProvider, visit } from '../../testing/provider.ts';
import { expectFactorInvalid, expectWrongPassword } from '../../testing/second-factor.ts';

const CONFIRMED = { currentPassword: PASSWORD };
const WRONG_FACTOR = { totpCode: '000000' };
const ID = '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9';

describe('errors of providers', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const client = () => service().as('customer');
  const openVerified = async (): Promise<{ userId: string; device: Device }> => {
    const account = await service().as('customer').createVerifiedAccount();
    return { userId: account.userId, device: await service().as('customer').openDevice(account) };
  };
  const misbehave = (misbehaviour: object = {}) =>
    provider().misbehave({ claims: newPerson(), ...misbehaviour });

  it('name a wrong confirmation and an unknown provider', async () => {
    const { userId, device } = await openVerified();
    const wrong = await client().identityAuthorize({
      ...device,
      provider: 'company',
      body: { ...redirectTo('company'), ...{ currentPassword: WRONG_PASSWORD } },
    });
    expectWrongPassword(wrong);
    expectError(
      await client().identityAuthorize({
        ...device,
        provider: 'unknown',
        body: { ...redirectTo('unknown'), ...CONFIRMED },
      }),
      404,
      'PROVIDER_NOT_FOUND',
    );
    expectError(
      await client().identityLink({
        ...device,
        identity: 'unknown',
        body: { callbackUrl: redirectUriOf('unknown') },
      }),
      404,
      'PROVIDER_NOT_FOUND',
    );
    expectError(
      await client().oidcAuthorize({
        provider: 'unknown',
        fingerprint: 'device',
        body: redirectTo('unknown'),
      }),
      404,
      'PROVIDER_NOT_FOUND',
    );
    const fingerprint = uniqueFingerprint();
    const signedIn = await client().oidcSignIn({
      fingerprint,
      provider: 'unknown',
      body: { callbackUrl: redirectUriOf('unknown') },
    });
    expectError(signedIn, 404, 'PROVIDER_NOT_FOUND');
    await service().as('customer').enableTotp(device);
    await service().records.query('update users set password_hash = null where id = $1', [userId]);
    // When the sign-in is not recent, a factor takes the place of the password.
    const age = "update token_records set authenticated_at = now() - interval '301 s' where user_id = $1";
    await service().records.query(age, [userId]);
    expectFactorInvalid(
      await client().identityAuthorize({
        ...device,
        provider: 'company',
        body: { ...redirectTo('company'), ...WRONG_FACTOR },
      }),
    );
    expectFactorInvalid(await client().identityUnlink({ ...device, identity: ID, body: WRONG_FACTOR }));
  });

  it('name what the provider returned for a link and for a sign-in', async () => {
    const { userId, device } = await openVerified();
    const linkAfter = async (misbehaviour: object, meanwhile: () => unknown) => {
      misbehave(misbehaviour);
      const callbackUrl = await visit(
        await client().identityAuthorize({
          ...device,
          provider: 'company',
          body: { ...redirectTo('company'), ...CONFIRMED },
        }),
      );
      await meanwhile();
      return await client().identityLink({
        ...device,
        identity: 'company',
        body: { callbackUrl },
      });
    };
    const signInAfter = async (misbehaviour: object, meanwhile: () => unknown) => {
      misbehave(misbehaviour);
      const fingerprint = uniqueFingerprint();
      const callbackUrl = await visit(
        await client().oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      );
      await meanwhile();
      return await client().oidcSignIn({
        fingerprint,
        provider: 'company',
        body: { callbackUrl },
      });
    };
    const nothing = () => undefined;
    const fail = () => misbehave({ responses: { token: 'fails with 500' } });
    for (const after of [linkAfter, signInAfter]) {
      const denied = { callback: { code: undefined, error: 'access_denied' } };
      expectError(await after(denied, nothing), 401, 'OIDC_DENIED');
      expectError(await after({ claims: { nonce: 'another' } }, nothing), 401, 'OIDC_RESPONSE_INVALID');
      expectError(await after({}, fail), 503, 'OIDC_PROVIDER_UNAVAILABLE');
    }
    const unverify = () =>
      service().records.query('update users set is_email_verified = false where id = $1', [userId]);
    expectError(await linkAfter({}, unverify), 403, 'EMAIL_NOT_VERIFIED');
  });

  it('name a session that ends while the provider responds', async () => {
    const { userId, device } = await openVerified();
    misbehave();
    const body = { ...redirectTo('company'), ...CONFIRMED };
    const callbackUrl = await visit(
      await client().identityAuthorize({ ...device, provider: 'company', body }),
    );
    const signOut = await holdLock(
      service().databaseUrl,
      `with locked as materialized (select id from users where id = $1 for no key update)
       delete from token_records where user_id in (select id from locked)`,
      [userId],
    );
    const linking = client().identityLink({ ...device, identity: 'company', body: { callbackUrl } });
    await signOut.commitWhenWaiting(1);
    expectError(await linking, 401, 'TOKEN_INVALID');
    const text = 'select 1 from identities where user_id = $1';
    expect(await service().records.query(text, [userId])).to.deep.equal([]);
  });

  it('name a provider that is unavailable', async () => {
    const { device } = await openVerified();
    const token = await provider().createLogoutToken({ sub: 'nobody' });
    misbehave({ responses: { discovery: 'fails with 500' } });
    const started = await client().identityAuthorize({
      ...device,
      provider: 'closed',
      body: { ...redirectTo('closed'), ...CONFIRMED },
    });
    expectError(started, 503, 'OIDC_PROVIDER_UNAVAILABLE');
    expectError(
      await client().oidcAuthorize({ provider: 'closed', fingerprint: 'device', body: redirectTo('closed') }),
      503,
      'OIDC_PROVIDER_UNAVAILABLE',
    );
    const loggedOut = await client().oidcBackchannelLogout({
      provider: 'open',
      form: { logout_token: token },
    });
    expectError(loggedOut, 503, 'OIDC_PROVIDER_UNAVAILABLE');
  });
});

describe('errors of providers for administrators', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  it('name a removed platform role', async () => {
    const client = service().as('administrator');
    const account = await service().as('administrator').createVerifiedAccount();
    const device = await service().as('administrator').openDevice(account);
    const person = newPerson();
    provider().misbehave({ claims: person });
    const callbackUrl = await visit(
      await client.identityAuthorize({
        ...device,
        provider: 'company',
        body: { ...redirectTo('company'), ...CONFIRMED },
      }),
    );
    expect(
      (await client.identityLink({ ...device, identity: 'company', body: { callbackUrl } })).status,
    ).to.equal(201);
    await service().records.query('delete from user_roles where user_id = $1', [account.userId]);
    expectError(
      await provider().signInWith(service().as('administrator'), 'company', person),
      403,
      'PLATFORM_ROLE_INVALID',
    );
  });
});

describe('providers without Redis', () => {
  const provider = useProvider();
  const service = useAuthService(() => ({ ...provider().settings, ...{ REDIS_URL: 'redis://127.0.0.1:1' } }));

  it('return SERVICE_UNAVAILABLE', async () => {
    const client = service().as('customer');
    const account = await service().as('customer').createVerifiedAccount();
    const device = await service().as('customer').openDevice(account);
    const fingerprint = uniqueFingerprint();
    const logoutToken = await provider().createLogoutToken({ sub: 'nobody' });
    const callbackUrl = `${redirectUriOf('company')}?code=a&state=b`;
    for (const response of [
      await client.oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      await client.oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } }),
      await client.identityAuthorize({
        ...device,
        provider: 'company',
        body: { ...redirectTo('company'), ...CONFIRMED },
      }),
      await client.identityLink({ ...device, identity: 'company', body: { callbackUrl } }),
      await client.oidcBackchannelLogout({
        provider: 'company',
        form: { logout_token: logoutToken },
      }),
    ])
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
  });
});
