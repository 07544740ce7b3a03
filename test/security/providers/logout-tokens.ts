import { randomUUID } from 'node:crypto';
import { SIGNATURES } from '@platform/dev/testing/provider-tokens';
import type { Device } from '@platform/shared/testing/auth-client';
import type { RequestOptions } from '../fixture.ts';
import type { ProviderFixture } from './fixture.ts';

const INVALID = '400 VALIDATION_FAILED';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const now = (): number => Math.floor(Date.now() / 1_000);

const asForm = (body: string): RequestOptions => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});

const createClaims = ({ providers }: ProviderFixture): Record<string, Record<string, unknown>> => ({
  'for another client': { aud: 'other' },
  'of another provider': { iss: providers.social.issuer },
  'that expired 61 s ago': { iat: now() - 120, exp: now() - 61 },
  'of 11 minutes ago': { iat: now() - 661 },
  'of the future': { iat: now() + 90 },
  'without a time': { iat: undefined },
  'without an expiry': { exp: undefined },
  'without an id': { jti: undefined },
  'without a subject and a session': { sub: undefined },
  'with a nonce, as ID tokens have': { nonce: 'nonce' },
  'without events, as ID tokens': { events: undefined },
  'of another event': { events: { 'http://schemas.openid.net/event/other': {} } },
  'with the event as a text': { events: EVENT },
});

const openSession = async ({ oidc }: ProviderFixture): Promise<Device> =>
  oidc.auth.toDevice(await oidc.signInAs('rogue'));

const checkSession = async (
  { oidc, check }: ProviderFixture,
  name: string,
  device: Device,
  expected: number,
) => {
  const me = await oidc.auth.me(device);
  check(me.status === expected, name, me);
};

/** Anybody can send logout tokens; only those of the provider end sessions, and each once. */
export const testLogoutTokens = async (fixture: ProviderFixture): Promise<void> => {
  const { providers, send, refused, accepted } = fixture;
  const { rogue, social } = providers;
  const path = '/api/v1/auth/oidc/rogue/backchannel-logout';
  const logOut = (token: string, at = path) => send(at, asForm(`logout_token=${token}`));
  fixture.section('Back-channel logout: forged and repeated tokens end no session');
  const device = await openSession(fixture);
  for (const signature of SIGNATURES.filter((each) => each !== 'RS256'))
    await refused(`signature: ${signature}`, logOut(await rogue.createLogoutToken({}, signature)), INVALID);
  for (const [name, claims] of Object.entries(createClaims(fixture)))
    await refused(`a logout token ${name}`, logOut(await rogue.createLogoutToken(claims)), INVALID);
  const ofSocial = await social.createLogoutToken({ sub: rogue.person.sub });
  await refused('a genuine token of another provider', logOut(ofSocial), INVALID);
  // A sign-in of the same second would be refused.
  const token = await rogue.createLogoutToken({ iat: now() - 10 });
  const unknown = logOut(token, '/api/v1/auth/oidc/unknown/backchannel-logout');
  await refused('an unknown provider', unknown, '404 PROVIDER_NOT_FOUND');
  const other = await rogue.createLogoutToken({ sid: randomUUID() });
  await refused('two tokens', send(path, asForm(`logout_token=${other}&logout_token=${token}`)), INVALID);
  await refused('no token', send(path, asForm('')), INVALID);
  const asJson = send(path, { method: 'POST', body: { logout_token: token } });
  await refused('a token as JSON', asJson, '415 UNSUPPORTED_MEDIA_TYPE');
  await refused('a token in the query', send(`${path}?logout_token=${token}`), '405 METHOD_NOT_ALLOWED');
  await accepted("the genuine token of another session's end", logOut(other));
  const atSocial = logOut(ofSocial, '/api/v1/auth/oidc/social/backchannel-logout');
  await accepted('the same subject, signed out at another provider', atSocial);
  await checkSession(fixture, 'the session of the attacked user', device, 200);

  await accepted('the genuine token', logOut(token));
  await checkSession(fixture, 'then the session', device, 401);
  await refused('the genuine token again', logOut(token), INVALID);
  const next = await openSession(fixture);
  await refused('again, after the next sign-in', logOut(token), INVALID);
  await checkSession(fixture, 'then the session of the next sign-in', next, 200);
};
