import { ADMINISTRATOR, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createVerifiedAccount } from '../../testing/auth-service.ts';
import {
  createProviderClient,
  newPerson,
  REDIRECT_URI,
  sendLogoutToken,
  useProviderService,
  visit,
} from '../../testing/provider-service.ts';
import { expectFactorInvalid, expectWrongPassword } from '../../testing/second-factor-account.ts';

const CONFIRMED = { currentPassword: PASSWORD };
const WRONG_FACTOR = { totpCode: '000000' };
const ID = '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9';

describe('errors of providers', () => {
  const service = useProviderService();
  const client = () => createProviderClient(service(), CUSTOMER);
  const openVerified = async (): Promise<{ userId: string; device: Device }> => {
    const account = await createVerifiedAccount(service(), CUSTOMER);
    return { userId: account.userId, device: await service().client(CUSTOMER).openDevice(account) };
  };
  const misbehave = (misbehaviour: object = {}) =>
    service().provider.misbehave({ claims: newPerson(), ...misbehaviour });

  it('name a wrong confirmation and an unknown provider', async () => {
    const { userId, device } = await openVerified();
    const wrong = await client().startLink(device, 'company', { currentPassword: WRONG_PASSWORD });
    expectWrongPassword(wrong);
    expectError(await client().startLink(device, 'unknown', CONFIRMED), 404, 'PROVIDER_NOT_FOUND');
    expectError(await client().link(device, 'unknown', REDIRECT_URI), 404, 'PROVIDER_NOT_FOUND');
    expectError(await client().authorize('unknown', 'device'), 404, 'PROVIDER_NOT_FOUND');
    const fingerprint = uniqueFingerprint();
    const signedIn = await client().signIn('unknown', REDIRECT_URI, { fingerprint });
    expectError(signedIn, 404, 'PROVIDER_NOT_FOUND');
    await service().client(CUSTOMER).enableTotp(device);
    await service().records.query('update users set password_hash = null where id = $1', [userId]);
    // When the sign-in is not recent, a factor takes the place of the password.
    const age = "update token_records set authenticated_at = now() - interval '301 s' where user_id = $1";
    await service().records.query(age, [userId]);
    expectFactorInvalid(await client().startLink(device, 'company', WRONG_FACTOR));
    expectFactorInvalid(await client().unlink(device, ID, WRONG_FACTOR));
  });

  it('name what the provider returned for a link and for a sign-in', async () => {
    const { userId, device } = await openVerified();
    const linkAfter = async (misbehaviour: object, meanwhile: () => unknown) => {
      misbehave(misbehaviour);
      const callbackUrl = await visit(await client().startLink(device, 'company', CONFIRMED));
      await meanwhile();
      return await client().link(device, 'company', callbackUrl);
    };
    const signInAfter = async (misbehaviour: object, meanwhile: () => unknown) => {
      misbehave(misbehaviour);
      const fingerprint = uniqueFingerprint();
      const callbackUrl = await visit(await client().authorize('company', fingerprint));
      await meanwhile();
      return await client().signIn('company', callbackUrl, { fingerprint });
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

  it('name a provider that is unavailable', async () => {
    const { device } = await openVerified();
    const token = await service().provider.createLogoutToken({ sub: 'nobody' });
    misbehave({ responses: { discovery: 'fails with 500' } });
    const started = await client().startLink(device, 'closed', CONFIRMED);
    expectError(started, 503, 'OIDC_PROVIDER_UNAVAILABLE');
    expectError(await client().authorize('closed', 'device'), 503, 'OIDC_PROVIDER_UNAVAILABLE');
    const loggedOut = await sendLogoutToken(service(), 'open', token);
    expectError(loggedOut, 503, 'OIDC_PROVIDER_UNAVAILABLE');
  });
});

describe('errors of providers for administrators', () => {
  const service = useProviderService();

  it('name a removed platform role', async () => {
    const client = createProviderClient(service(), ADMINISTRATOR);
    const account = await createVerifiedAccount(service(), ADMINISTRATOR);
    const device = await service().client(ADMINISTRATOR).openDevice(account);
    const person = newPerson();
    service().provider.misbehave({ claims: person });
    const callbackUrl = await visit(await client.startLink(device, 'company', CONFIRMED));
    expect((await client.link(device, 'company', callbackUrl)).status).to.equal(201);
    await service().records.query('delete from user_roles where user_id = $1', [account.userId]);
    expectError(await service().signInWith('company', ADMINISTRATOR, person), 403, 'PLATFORM_ROLE_INVALID');
  });
});

describe('providers without Redis', () => {
  const service = useProviderService({ REDIS_URL: 'redis://127.0.0.1:1' });

  it('return SERVICE_UNAVAILABLE', async () => {
    const client = createProviderClient(service(), CUSTOMER);
    const account = await createVerifiedAccount(service(), CUSTOMER);
    const device = await service().client(CUSTOMER).openDevice(account);
    const fingerprint = uniqueFingerprint();
    const logoutToken = await service().provider.createLogoutToken({ sub: 'nobody' });
    const callbackUrl = `${REDIRECT_URI}?code=a&state=b`;
    for (const response of [
      await client.authorize('company', fingerprint),
      await client.signIn('company', callbackUrl, { fingerprint }),
      await client.startLink(device, 'company', CONFIRMED),
      await client.link(device, 'company', callbackUrl),
      await sendLogoutToken(service(), 'company', logoutToken),
    ])
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
  });
});
