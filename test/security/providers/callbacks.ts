import { EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { REDIRECT_URI } from '../../oidc-client.ts';
import { createVerifiedUser, isSessionUnchanged } from '../fixture.ts';
import {
  openFlow,
  type ProviderFixture,
  PUBLIC_REDIRECT_URI,
  readParameter,
  replaceParameters,
  withKind,
} from './fixture.ts';

const STATE_INVALID = '401 OIDC_STATE_INVALID';
const RESPONSE_INVALID = '401 OIDC_RESPONSE_INVALID';

const testReplay = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, providers, refused, accepted } = fixture;
  fixture.section('Sign-in with a provider: a callback is good once');
  const victim = providers.addPerson();
  const { fingerprint, callbackUrl } = await openFlow(fixture, 'company', victim);
  const signIn = (url: string) => oidc.signIn('company', fingerprint, url);
  await accepted('the genuine callback', signIn(callbackUrl));
  await refused('replay of the callback', signIn(callbackUrl), STATE_INVALID);
  const ownCallback = await oidc.getCallback('company', fingerprint, providers.addPerson());
  const code = readParameter(callbackUrl, 'code');
  const withUsedCode = replaceParameters(ownCallback, { code });
  await refused('replay of its code with a new state', signIn(withUsedCode), RESPONSE_INVALID);
  await refused('then the own code with that state', signIn(ownCallback), STATE_INVALID);
};

/** The code of the victim is unused; PKCE binds it at the real provider, and the nonce at one without PKCE. */
const testStolenCodes = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, providers, refused } = fixture;
  fixture.section("Sign-in with a provider: a victim's code in the attacker's browser");
  for (const [provider, protection] of [
    ['company', 'PKCE'],
    ['rogue', 'nonce'],
  ] as const) {
    const [victim, attacker] = [providers.addPerson(), providers.addPerson()];
    const stolen = (await openFlow(fixture, provider, victim)).callbackUrl;
    const { fingerprint, callbackUrl } = await openFlow(fixture, provider, attacker);
    const injected = replaceParameters(callbackUrl, { code: readParameter(stolen, 'code') });
    const name = `a stolen code with the attacker's state (${protection})`;
    await refused(name, oidc.signIn(provider, fingerprint, injected), RESPONSE_INVALID);
    const whole = oidc.signIn(provider, fingerprint, stolen);
    await refused(`the whole stolen callback from another device (${provider})`, whole, STATE_INVALID);
  }
};

const testBindings = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, refused, accepted } = fixture;
  fixture.section('Sign-in with a provider: a callback is bound to device, kind, provider and purpose');
  const forged = await openFlow(fixture);
  await refused(
    "login CSRF: the attacker's callback in the victim's browser",
    oidc.signIn('rogue', uniqueFingerprint(), forged.callbackUrl),
    STATE_INVALID,
  );
  const afterwards = oidc.signIn('rogue', forged.fingerprint, forged.callbackUrl);
  await refused('then on its own device: the state is used up', afterwards, STATE_INVALID);
  const kind = await openFlow(fixture);
  const asEmployee = withKind(fixture, EMPLOYEE).signIn('rogue', kind.fingerprint, kind.callbackUrl);
  await refused("a customer's callback as an employee", asEmployee, STATE_INVALID);
  const provider = await openFlow(fixture);
  const atSocial = oidc.signIn('social', provider.fingerprint, provider.callbackUrl);
  await refused('at another provider', atSocial, STATE_INVALID);
  for (const [name, operation] of [
    ['authorize', withKind(fixture, EMPLOYEE).authorize('social', 'device')],
    ['sign-in', withKind(fixture, EMPLOYEE).signIn('social', 'device', provider.callbackUrl)],
    ['authorize of an unknown provider', oidc.authorize('constructor', 'device')],
  ] as const)
    await refused(`a provider that is not for the kind: ${name}`, operation, '404 PROVIDER_NOT_FOUND');

  const [user, other] = [
    await createVerifiedUser(fixture, oidc.auth.kind),
    await createVerifiedUser(fixture, oidc.auth.kind),
  ];
  const confirmation = { currentPassword: user.password };
  const startLink = () => oidc.getLinkCallback(user.device, 'rogue', '', confirmation);
  await refused(
    "login CSRF: the attacker's link in the victim's session",
    oidc.link(other.device, 'rogue', await startLink()),
    STATE_INVALID,
  );
  await refused(
    'a link as a sign-in',
    oidc.signIn('rogue', user.device.fingerprint, await startLink()),
    STATE_INVALID,
  );
  const signInCallback = await oidc.getCallback('rogue', user.device.fingerprint);
  await refused('a sign-in as a link', oidc.link(user.device, 'rogue', signInCallback), STATE_INVALID);
  const { body } = await oidc.factors.as(other.device, 'GET', '/identities');
  fixture.check(body.data.length === 0, "the victim's identities", `${body.data.length}`);
  fixture.check(await isSessionUnchanged(user), "the attacker's own session", 'unchanged');
  const own = await openFlow(fixture);
  await accepted('a genuine callback', oidc.signIn('rogue', own.fingerprint, own.callbackUrl));
};

const testParameters = async (fixture: ProviderFixture): Promise<void> => {
  const { providers, oidc, refused } = fixture;
  fixture.section('Sign-in with a provider: parameters of the callback, mix-up included');
  const stateOfOther = readParameter((await openFlow(fixture)).callbackUrl, 'state');
  const attacks: [name: string, change: (url: string) => string, expected: string][] = [
    [
      'mix-up: the issuer of another provider',
      (url) => replaceParameters(url, { iss: providers.social.issuer }),
      RESPONSE_INVALID,
    ],
    ['mix-up: no issuer', (url) => replaceParameters(url, { iss: undefined }), RESPONSE_INVALID],
    ['two issuers', (url) => `${url}&iss=${providers.social.issuer}`, RESPONSE_INVALID],
    ['no state', (url) => replaceParameters(url, { state: undefined }), STATE_INVALID],
    ['an unknown state', (url) => replaceParameters(url, { state: 'unknown' }), STATE_INVALID],
    ['the state of another device', (url) => replaceParameters(url, { state: stateOfOther }), STATE_INVALID],
    ['two states', (url) => `${url}&state=${stateOfOther}`, RESPONSE_INVALID],
    ['no code', (url) => replaceParameters(url, { code: undefined }), RESPONSE_INVALID],
    ['two codes', (url) => `${url}&code=other`, RESPONSE_INVALID],
    ['an ID token besides the code', (url) => `${url}&id_token=eyJ.eyJ.x`, RESPONSE_INVALID],
    ['a denial besides the code', (url) => `${url}&error=access_denied`, '401 OIDC_DENIED'],
    ['no URL', () => 'callback', STATE_INVALID],
    ['more than 4,096 characters', (url) => `${url}&x=${'x'.repeat(4_096)}`, '400 VALIDATION_FAILED'],
  ];
  for (const [name, change, expected] of attacks) {
    const { fingerprint, callbackUrl } = await openFlow(fixture);
    await refused(name, oidc.signIn('rogue', fingerprint, change(callbackUrl)), expected);
  }
};

const LOOK_ALIKES = [
  'https://app.example.com.evil.example/callback',
  'https://app.example.com@evil.example/callback',
  'https://evil.example/callback?https://app.example.com/callback',
  'https://evil.example#https://app.example.com/callback',
  'https://evil.example/https://app.example.com/callback',
  'https://app.example.com:8443/callback',
  'https://app.example.com./callback',
  'https://xapp.example.com/callback',
  'https://app-example.com/callback',
  'https://аpp.example.com/callback',
  'http://app.example.com/callback',
  'https://app.example.com/callback/',
  'https://app.example.com/Callback',
  'https://app.example.com/callback/../evil',
  'https://app.example.com//callback',
  'https://app.example.com/%63allback',
  'https://app.example.com/callback;evil',
  'https://app.example.com\\@evil.example/callback',
  'https://user@app.example.com/callback',
  'javascript:alert(1)//app.example.com/callback',
];
/** These mean the same as the listed address, which is compared as it is. */
const OTHER_SPELLINGS = [
  'HTTPS://app.example.com/callback',
  'https://APP.example.com/callback',
  'https://app.example.com:443/callback',
  'https://app.example.com/evil/../callback',
  'https://app.example.com/callback?',
  'https://app.example.com/callback?next=evil',
  'https://app.example.com/callback#evil',
  ' https://app.example.com/callback',
  'https://app.example.com/call\tback',
];

const testRedirectUris = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, refused } = fixture;
  fixture.section('Sign-in with a provider: redirect addresses that look alike');
  for (const uri of [...LOOK_ALIKES, ...OTHER_SPELLINGS]) {
    const response = oidc.authorize('rogue', 'device', uri);
    await refused(`authorize with ${JSON.stringify(uri)}`, response, '400 VALIDATION_FAILED');
  }
  for (const uri of [...LOOK_ALIKES, REDIRECT_URI]) {
    const fingerprint = uniqueFingerprint();
    const genuine = await oidc.getCallback('rogue', fingerprint, '', {
      redirectUri: PUBLIC_REDIRECT_URI,
    });
    const parameters = new URL(genuine).search.slice(1);
    const callbackUrl = `${uri}${uri.includes('?') ? '&' : '?'}${parameters}`;
    const response = oidc.signIn('rogue', fingerprint, callbackUrl);
    await refused(`a callback at ${JSON.stringify(uri)}`, response, STATE_INVALID);
  }
};

/** The response of a provider reaches the platform through the browser, where it can be replayed, stolen and replaced. */
export const testCallbacks = async (fixture: ProviderFixture): Promise<void> => {
  await testReplay(fixture);
  await testStolenCodes(fixture);
  await testBindings(fixture);
  await testParameters(fixture);
  await testRedirectUris(fixture);
};
