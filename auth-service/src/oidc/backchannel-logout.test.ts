import { randomUUID } from 'node:crypto';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider, visit } from '../../testing/provider.ts';
import { expectChallengeInvalid } from '../../testing/second-factor.ts';
import { getAddress, range } from '../../testing/sign-in-attempts.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const FORM = 'application/x-www-form-urlencoded';
const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

describe('back-channel logout', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const logOut = (token: string, contentType = FORM, provider = 'company', from?: string) => {
    const headers = { 'Content-Type': contentType, 'X-Forwarded-For': from };
    return service()
      .as('customer')
      .oidcBackchannelLogout({ provider, headers, form: { logout_token: token } });
  };
  /** Opens devices of one identity, each with a separate session at the provider. */
  const openSessions = async (sids: readonly (string | undefined)[]) => {
    const person = newPerson();
    const devices = [];
    for (const sid of sids)
      devices.push(
        service()
          .as('customer')
          .toDevice(await provider().signInWith(service().as('customer'), 'company', { ...person, sid })),
      );
    return { person, devices };
  };
  const isOpen = async (device: Device) => (await service().as('customer').me(device)).status === 200;

  it('leaves the places of sign-ins when many tokens name an unknown key', async () => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    const [client, fingerprint] = [service().as('customer'), uniqueFingerprint()];
    const token = await provider().createLogoutToken({}, 'RS256 with an unknown kid');
    // No other test of this suite has loaded the keys of this provider.
    provider().misbehave({ claims: newPerson(), responses: { keys: { until } } });
    const flood = range(30).map((index) => logOut(token, FORM, 'open', getAddress(index % 2)));
    const first = await Promise.race(flood);
    const callbackUrl = await visit(
      await client.oidcAuthorize({ provider: 'open', fingerprint, body: redirectTo('open') }),
    );
    const { length } = provider().requests;
    const signIn = client.oidcSignIn({ provider: 'open', fingerprint, body: { callbackUrl } });
    await waitFor('the sign-in', () => provider().requests[length]);
    answer();
    expect((await signIn).status).to.equal(200);
    const codes = (await Promise.all(flood)).map(({ code }) => code);
    expect(first.code).to.equal('OIDC_PROVIDER_UNAVAILABLE');
    expect(codes.filter((code) => code === 'VALIDATION_FAILED')).to.have.length(10);
  });

  it('ends the session of the sid, and leaves the others', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const { person, devices } = await openSessions([one, other]);
    const { status, text } = await logOut(await provider().createLogoutToken({ sub: person.sub, sid: one }));
    expect(status, text).to.equal(200);
    expect(await Promise.all(devices.map(isOpen))).to.deep.equal([false, true]);
  });

  it('ends all sessions of the sub, of this provider only, and is audited', async () => {
    const { person, devices } = await openSessions([undefined, randomUUID()]);
    const account = await service().as('customer').createVerifiedAccount();
    const byPassword = await service().as('customer').openDevice(account);
    expect((await logOut(await provider().createLogoutToken({ sub: person.sub }))).status).to.equal(200);
    expect(await Promise.all(devices.map(isOpen))).to.deep.equal([false, false]);
    await service().as('customer').expectSignedIn(byPassword);
    const records = await service().records.query<{ details: object }>(
      `select details from audit_records where action = 'PROVIDER_LOGOUT'
         and target_id = (select id::text from users where email = $1)`,
      [person.email],
    );
    expect(records.map(({ details }) => details)).to.deep.equal([{ provider: 'company' }]);
  });

  it('waits for the changes that hold the lock on the user', async () => {
    const { person } = await openSessions([undefined]);
    const text = 'select 1 from users where email = $1 for no key update';
    const lock = await holdLock(service().databaseUrl, text, [person.email]);
    const ended = logOut(await provider().createLogoutToken({ sub: person.sub }));
    await lock.commitWhenWaiting(1);
    expect((await ended).status).to.equal(200);
  });

  it('ends nothing for an unknown sub, which is no error', async () => {
    const { status, text } = await logOut(await provider().createLogoutToken({ sub: randomUUID() }));
    expect({ status, text }).to.deep.equal({ status: 200, text: '' });
  });

  it('accepts a token once, also in parallel requests', async () => {
    const token = await provider().createLogoutToken();
    const statuses = (await Promise.all([logOut(token), logOut(token)])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 400]);
    expectError(await logOut(token), 400, 'VALIDATION_FAILED', '/body/logout_token');
  });

  it('rejects tokens that are not logout tokens for this platform', async () => {
    const { createLogoutToken } = provider();
    const { person, devices } = await openSessions([undefined]);
    const { sub } = person;
    for (const [name, token] of [
      ['another audience', createLogoutToken({ sub, aud: 'another' })],
      ['another issuer', createLogoutToken({ sub, iss: 'https://login.example.com' })],
      ['a nonce', createLogoutToken({ sub, nonce: 'a' })],
      ['no event', createLogoutToken({ sub, events: undefined })],
      ['the event as a text', createLogoutToken({ sub, events: EVENT })],
      ['another event', createLogoutToken({ sub, events: { 'http://example.com/event': {} } })],
      ['no jti', createLogoutToken({ sub, jti: undefined })],
      ['neither sub nor sid', createLogoutToken({ sub: undefined })],
      ['expiry', createLogoutToken({ sub, iat: seconds(-400), exp: seconds(-90) })],
      ['age', createLogoutToken({ sub, iat: seconds(-690) })],
      ['the future', createLogoutToken({ sub, iat: seconds(600), exp: seconds(900) })],
      ['no expiry', createLogoutToken({ sub, exp: undefined })],
      ['no time', createLogoutToken({ sub, iat: undefined })],
      ...(
        [
          'RS256 with another key',
          'RS256 with an unknown kid',
          'HS256 with the public key',
          'none',
          'edited after signing',
        ] as const
      ).map((signature) => [signature, createLogoutToken({ sub }, signature)] as const),
      ['garbage', Promise.resolve('garbage')],
    ] as const)
      expect((await logOut(await token)).code, name).to.equal('VALIDATION_FAILED');
    expect(await Promise.all(devices.map(isOpen))).to.deep.equal([true]);
  });

  it('accepts only a form from a known provider', async () => {
    const token = await provider().createLogoutToken();
    for (const type of ['application/json', 'text/plain'])
      expectError(await logOut(token, type), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await logOut(token, FORM, 'unknown'), 404, 'PROVIDER_NOT_FOUND');
    expect((await logOut(token, `${FORM}; charset=utf-8`)).status).to.equal(200);
  });

  it('ends a sign-in whose second factor is still due, also when an older token follows', async () => {
    const account = await service().as('employee').createVerifiedAccount();
    const client = service().as('employee');
    const { secret } = await client.enableTotp(await client.openDevice(account));
    const [fingerprint, sid] = [uniqueFingerprint(), randomUUID()];
    const person = { ...newPerson(account.email), sid };
    const challenge = readChallenge(
      await provider().signInWith(service().as('employee'), 'company', person, { fingerprint }),
    );
    await logOut(await provider().createLogoutToken({ sub: person.sub, sid }));
    await logOut(await provider().createLogoutToken({ sub: person.sub, sid, iat: seconds(-60) }));
    const step = { challenge, totpCode: totpCode(secret, 1) };
    expectChallengeInvalid(await client.signInSecondFactor({ fingerprint, body: step }));
    const text = 'select 1 from token_records where user_id = $1 and provider_issuer is not null';
    expect(await service().records.query(text, [account.userId])).to.deep.equal([]);
  });
});
