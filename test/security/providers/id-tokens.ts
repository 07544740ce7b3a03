import { randomUUID } from 'node:crypto';
import { SIGNATURES } from '@platform/dev/testing/provider-tokens';
import { openFlow, type ProviderFixture } from './fixture.ts';

const RESPONSE_INVALID = '401 OIDC_RESPONSE_INVALID';

const now = (): number => Math.floor(Date.now() / 1_000);

/** Claims of an ID token that replace the genuine ones; undefined ones are left out. */
const createClaims = ({ providers }: ProviderFixture): Record<string, Record<string, unknown>> => ({
  'without a nonce': { nonce: undefined },
  'of another nonce': { nonce: 'other' },
  'without an audience': { aud: undefined },
  'for another client': { aud: 'other' },
  'for several clients, issued to another one': { aud: ['platform', 'other'], azp: 'other' },
  'without an issuer': { iss: undefined },
  'of another provider': { iss: providers.social.issuer },
  'of the issuer with a slash': { iss: `${providers.rogue.issuer}/` },
  'that expired 61 s ago': { iat: now() - 120, exp: now() - 61 },
  'without an expiry': { exp: undefined },
  'of 11 minutes ago': { iat: now() - 661 },
  'of the future': { iat: now() + 90, exp: now() + 600 },
  'without a subject': { sub: undefined },
  'with an empty subject': { sub: '' },
  'with a number as subject': { sub: 1 },
  'with a NUL in the subject': { sub: 'a\0b' },
  'with a subject of 256 characters': { sub: 'x'.repeat(256) },
});

/** Whatever the token endpoint returns, a session needs a genuine ID token for this request. */
export const testIdTokens = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, providers, refused, accepted } = fixture;
  const { rogue } = providers;
  const signInWith = async (misbehaviour: Parameters<typeof rogue.misbehave>[0]) => {
    const { fingerprint, callbackUrl } = await openFlow(fixture);
    rogue.misbehave(misbehaviour);
    const response = await oidc.signIn('rogue', fingerprint, callbackUrl);
    rogue.misbehave();
    return response;
  };
  fixture.section('Sign-in with a provider: forged ID tokens, of a person who has an account');
  await accepted('the genuine ID token', signInWith({}));
  for (const signature of SIGNATURES.filter((each) => each !== 'RS256'))
    await refused(`signature: ${signature}`, signInWith({ signature }), RESPONSE_INVALID);
  for (const [name, claims] of Object.entries(createClaims(fixture)))
    await refused(`an ID token ${name}`, signInWith({ claims }), RESPONSE_INVALID);
  const { email } = rogue.person;
  const userinfo = { sub: randomUUID(), email };
  await refused(
    'a profile of another person',
    signInWith({ claims: { email: undefined }, userinfo }),
    RESPONSE_INVALID,
  );
  const body = { access_token: 'a', token_type: 'Bearer' };
  await refused('no ID token', signInWith({ responses: { token: { body } } }), RESPONSE_INVALID);
  await accepted('the genuine ID token afterwards', signInWith({}));
};
