import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { observable } from '@platform/shared/testing/responses';
import { createFactorUser, createPasskeyUser, type Fixture, KINDS, openChallenge } from '../fixture.ts';
import { createGuesser } from '../password-guessing.ts';

const checkEqual = (fixture: Fixture, attack: string, responses: readonly HttpResponse[]): void => {
  const isEqual = new Set(responses.map((response) => JSON.stringify(observable(response)))).size === 1;
  fixture.check(isEqual, attack, responses.map(formatStatus).join(' / '));
};

const testResponses = async (fixture: Fixture): Promise<void> => {
  fixture.section(
    'Enumeration: nothing tells strangers whether an address has an account or a second factor',
  );
  for (const kind of KINDS) {
    const emails = [
      uniqueEmail(),
      (await fixture.createUser(kind)).email,
      (await fixture.createUser(kind === CUSTOMER ? EMPLOYEE : CUSTOMER)).email,
      (await createFactorUser(fixture, kind)).email,
      (await createPasskeyUser(fixture, kind)).email,
    ];
    const { auth } = fixture.client(kind);
    const reset = { code: '000000', newPassword: PASSWORD };
    for (const [name, call] of [
      ['a wrong password', (email: string) => auth.signIn({ email, password: WRONG_PASSWORD }, 'device')],
      ['a reset code', (email: string) => auth.sendResetCode({ email })],
      ['a second reset code', (email: string) => auth.sendResetCode({ email })],
      ['a reset with a wrong code', (email: string) => auth.resetPassword({ email, ...reset })],
    ] as const) {
      const responses: HttpResponse[] = [];
      for (const email of emails) responses.push(await call(email));
      const accounts = 'unknown, without a factor, of another kind, with TOTP, with a passkey';
      checkEqual(fixture, `${name} of ${kind.plural}: ${accounts}`, responses);
    }
  }
};

const MAX_COST = 7;

/** Counts the bcrypt rounds that auth-service computes for one wrong sign-in. */
const createRoundsCounter = (fixture: Fixture) => {
  const guess = createGuesser(fixture);
  const readTotal = async (): Promise<number> => {
    const metrics = await (await fetch(`${fixture.stack.opsUrls.auth}/metrics`)).text();
    return Number(/^password_hash_rounds_total\{.*\} (\S+)$/m.exec(metrics)?.[1]);
  };
  return async (email: string): Promise<number> => {
    const before = await readTotal();
    await guess({ kind: CUSTOMER, email });
    return (await readTotal()) - before;
  };
};

const testTiming = async (fixture: Fixture): Promise<void> => {
  fixture.section('Timing: a wrong password costs the same bcrypt rounds for every account and for none');
  const createUserWithCost = async (cost: number): Promise<string> => {
    const { id, email } = await fixture.records.user(['CUSTOMER']);
    // Matches no password.
    const values = [id, `$2b$0${cost}$${'A'.repeat(53)}`];
    await fixture.records.query('update users set password_hash = $2 where id = $1', values);
    return email;
  };
  const emails = [
    uniqueEmail(),
    (await createFactorUser(fixture, CUSTOMER)).email,
    (await createPasskeyUser(fixture, CUSTOMER)).email,
    await createUserWithCost(4),
    await createUserWithCost(5),
    await createUserWithCost(MAX_COST),
  ];
  const countRounds = createRoundsCounter(fixture);
  const isMaxCostKnown = async () => (await countRounds(uniqueEmail())) === 2 ** MAX_COST;
  await waitFor('auth-service has read the highest cost', isMaxCostKnown, 15).catch(() => undefined);
  const rounds: number[] = [];
  for (const email of emails) rounds.push(await countRounds(email));
  fixture.check(
    rounds.every((count) => count === 2 ** MAX_COST),
    'rounds of bcrypt for an unknown e-mail, accounts with TOTP and a passkey, and hashes of cost 4, 5 and 7',
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
  const response = await fixture.client(CUSTOMER).as(device, 'POST', '/second-factor/options');
  await fixture.refused(
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
