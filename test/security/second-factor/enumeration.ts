import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { observable } from '@platform/shared/testing/responses';
import { type Fixture, KINDS } from '../fixture.ts';
import { createRoundsCounter } from '../password-guessing.ts';
import { checkRefused, createClient, createFactorUser, createPasskeyUser, openChallenge } from './fixture.ts';

const checkEqual = (fixture: Fixture, attack: string, responses: readonly HttpResponse[]): void => {
  const isEqual = new Set(responses.map((response) => JSON.stringify(observable(response)))).size === 1;
  fixture.check(isEqual, attack, responses.map(formatStatus).join(' / '));
};

const testResponses = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor enumeration: nothing tells strangers whether an account has a factor');
  for (const kind of KINDS) {
    const emails = [
      uniqueEmail(),
      (await fixture.createUser(kind)).email,
      (await createFactorUser(fixture, kind)).email,
      (await createPasskeyUser(fixture, kind)).email,
    ];
    const post = (route: string, body: object) =>
      fixture.send(kind.path + route, { method: 'POST', headers: { 'X-Fingerprint': 'device' }, body });
    for (const [name, call] of [
      ['a wrong password', (email: string) => post('/sign-in', { email, password: WRONG_PASSWORD })],
      ['a reset code', (email: string) => post('/reset-password/email/code/send', { email })],
    ] as const) {
      const responses: HttpResponse[] = [];
      for (const email of emails) responses.push(await call(email));
      const accounts = 'unknown, without a factor, with TOTP, with a passkey';
      checkEqual(fixture, `${name} of ${kind.plural}: ${accounts}`, responses);
    }
  }
};

const testTiming = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor enumeration: a wrong password costs the same bcrypt rounds');
  const emails = [
    uniqueEmail(),
    (await fixture.createUser(CUSTOMER)).email,
    (await createFactorUser(fixture, CUSTOMER)).email,
    (await createPasskeyUser(fixture, CUSTOMER)).email,
  ];
  const countRounds = createRoundsCounter(fixture);
  const rounds: number[] = [];
  for (const email of emails) rounds.push(await countRounds(email));
  fixture.check(
    rounds.every((count) => count > 0 && count === rounds[0]),
    'rounds of bcrypt for an unknown e-mail, and accounts without a factor, with TOTP, with a passkey',
    rounds.join(', '),
  );
};

const testOptions = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor enumeration: options name no account and no credential');
  for (const kind of KINDS) {
    const user = await createPasskeyUser(fixture, kind);
    const { factors, device, passkey } = user;
    const known = await factors.getPasskeyOptions(device.fingerprint);
    const unknown = await factors.getPasskeyOptions();
    const withoutChallenge = (options: object) => JSON.stringify({ ...options, challenge: '' });
    fixture.check(
      withoutChallenge(known) === withoutChallenge(unknown) && known.challenge !== unknown.challenge,
      `sign-in/passkey/options of ${kind.plural}: a known and an unknown device`,
      Object.keys(known).join(', '),
    );
    const options = (challenge: string, fingerprint: string) =>
      factors.from(fingerprint, '/second-factor/options', { challenge });
    const { challenge } = await openChallenge(user);
    const responses = [
      await options('unknown', 'device'),
      await options(challenge, 'device'),
      await options(challenge, device.fingerprint),
    ];
    checkEqual(
      fixture,
      `second-factor/options of ${kind.plural}: an unknown challenge, and one of another device`,
      responses,
    );
    const signIn = async (overrides: object, id?: string) => {
      const fingerprint = uniqueFingerprint();
      const assertion = passkey.authenticator.get(await factors.getPasskeyOptions(fingerprint), overrides);
      return await factors.signInWithPasskey(fingerprint, id ? { ...assertion, id, rawId: id } : assertion);
    };
    const unknownId = Buffer.alloc(32, 5).toString('base64url');
    checkEqual(fixture, `sign-in/passkey of ${kind.plural}: an unknown passkey, and a wrong signature`, [
      await signIn({}, unknownId),
      await signIn({ tamperSignature: true }),
    ]);
  }
  const { device } = await fixture.createUser(CUSTOMER);
  const response = await createClient(fixture, CUSTOMER).as(device, 'POST', '/second-factor/options');
  checkRefused(
    fixture,
    'second-factor/options of a user without a passkey',
    response,
    '404 PASSKEY_NOT_FOUND',
  );
};

export const testFactorEnumeration = async (fixture: Fixture): Promise<void> => {
  await testResponses(fixture);
  await testTiming(fixture);
  await testOptions(fixture);
};
