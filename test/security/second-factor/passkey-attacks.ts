import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { SoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import type { Fixture } from '../fixture.ts';
import { createPasskeyUser, INVALID, openChallenge, type PasskeyUser } from '../fixture.ts';

type Overrides = NonNullable<Parameters<SoftwareAuthenticator['get']>[1]>;

const FORGERIES: readonly (readonly [name: string, overrides: Overrides])[] = [
  ['of another origin', { origin: 'https://evil.example' }],
  ['of a subdomain of an attacker', { origin: 'http://localhost.evil.example:5173' }],
  ['in a frame of another origin', { origin: 'https://evil.example', crossOrigin: true }],
  ['for another RP id', { rpId: 'evil.example' }],
  ['for another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['of the type webauthn.create', { type: 'webauthn.create' }],
  ['with a forged signature', { tamperSignature: true }],
  ['without user presence', { userPresent: false, userVerified: false }],
];

const passwordless = async ({ factors, passkey }: PasskeyUser, overrides: Overrides) => {
  const fingerprint = uniqueFingerprint();
  const options = await factors.getPasskeyOptions(fingerprint);
  return await factors.signInWithPasskey(fingerprint, passkey.authenticator.get(options, overrides));
};

const secondStep = async (user: PasskeyUser, overrides: Overrides) => {
  const { challenge, fingerprint } = await openChallenge(user);
  const options = await user.factors.getSecondStepOptions(challenge, fingerprint);
  const proof = { passkey: user.passkey.authenticator.get(options, overrides) };
  return await user.factors.secondStep(challenge, fingerprint, proof);
};

const testForgeries = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: forged assertions at both sign-ins');
  for (const [name, overrides] of FORGERIES) {
    // A new user for each, whom the throttle does not know.
    const user = await createPasskeyUser(fixture, CUSTOMER);
    const direct = await passwordless(user, overrides);
    await fixture.refused(`an assertion ${name}, without a password`, direct, INVALID);
    await fixture.refused(`an assertion ${name}, as second step`, secondStep(user, overrides), INVALID);
    await fixture.accepted('the owner afterwards', passwordless(user, {}));
  }
};

const testVerification = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: a sign-in without a password needs user verification');
  const user = await createPasskeyUser(fixture, CUSTOMER);
  const { factors } = user;
  const options = await factors.getPasskeyOptions();
  fixture.check(
    options.userVerification === 'required' && (options.allowCredentials ?? []).length === 0,
    'the options of a sign-in without a password',
    `user verification ${options.userVerification}, ${(options.allowCredentials ?? []).length} credentials named`,
  );
  const unverified = await passwordless(user, { userVerified: false });
  await fixture.refused('an assertion without user verification', unverified, INVALID);
  await fixture.accepted('one with user verification', passwordless(user, {}));
};

const testCounter = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: a signature counter that does not increase shows a copied authenticator');
  for (const [name, use] of [
    ['without a password', passwordless],
    ['as second step', secondStep],
  ] as const) {
    const user = await createPasskeyUser(fixture, CUSTOMER);
    await fixture.accepted(`counter 9 ${name}`, use(user, { counter: 9 }));
    for (const counter of [8, 9, 0])
      await fixture.refused(`then counter ${counter} ${name}`, use(user, { counter }), INVALID);
    await fixture.accepted(`then counter 10 ${name}`, use(user, { counter: 10 }));
  }
};

/** Signs in as `victim` with the passkey of `attacker`. */
const impersonate = async (attacker: PasskeyUser, victim: PasskeyUser, overrides: Overrides) => {
  const { challenge, fingerprint } = await openChallenge(victim);
  const options = await victim.factors.getSecondStepOptions(challenge, fingerprint);
  const { allowCredentials: _, ...anyCredential } = options;
  const passkey = attacker.passkey.authenticator.get(anyCredential, overrides);
  return await victim.factors.secondStep(challenge, fingerprint, { passkey });
};

const testOtherUsers = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: those of another user or of another kind');
  const [attacker, victim] = [
    await createPasskeyUser(fixture, CUSTOMER),
    await createPasskeyUser(fixture, CUSTOMER),
  ];
  const own = await impersonate(attacker, victim, {});
  await fixture.refused('the passkey of another user at the second step', own, INVALID);
  const userHandle = Buffer.from(victim.id).toString('base64url');
  const claimed = await impersonate(attacker, victim, { userHandle });
  await fixture.refused('the same with the user handle of the victim', claimed, INVALID);
  const direct = await passwordless(attacker, { userHandle });
  await fixture.refused('a sign-in without a password with the user handle of the victim', direct, INVALID);
  const options = await fixture.client(EMPLOYEE).getPasskeyOptions('device');
  const assertion = attacker.passkey.authenticator.get(options);
  const asEmployee = await fixture.client(EMPLOYEE).signInWithPasskey('device', assertion);
  await fixture.refused("the passkey of a customer at the employees' sign-in", asEmployee, INVALID);
  const other = await attacker.factors.getPasskeyOptions('device');
  const moved = await fixture
    .client(EMPLOYEE)
    .signInWithPasskey('device', attacker.passkey.authenticator.get(other));
  await fixture.refused("the customers' options at the employees' sign-in", moved, INVALID);
  for (const [name, method, body] of [
    ['renamed', 'PATCH', { name: 'Mine' }],
    ['removed', 'DELETE', { currentPassword: PASSWORD }],
  ] as const) {
    const path = `/passkeys/${victim.passkey.id}`;
    const response = await attacker.factors.as(attacker.device, method, path, body);
    await fixture.refused(`the passkey of another user is ${name}`, response, '404 PASSKEY_NOT_FOUND');
  }
  const { passkeys } = await victim.factors.readState(victim.device);
  fixture.check(passkeys[0]?.name === 'Laptop', "the victim's passkey afterwards", String(passkeys[0]?.name));
};

const testRegistrations = async (fixture: Fixture): Promise<void> => {
  fixture.section('Passkeys: forged registrations');
  const user = await createPasskeyUser(fixture, CUSTOMER);
  const victim = await createPasskeyUser(fixture, CUSTOMER);
  const { factors, device, passkey } = user;
  const credential = await victim.factors.getConfirmationOptions(victim.device);
  const credentialId: string = credential.allowCredentials[0].id;
  for (const [name, overrides] of [
    ...FORGERIES.filter(([, { tamperSignature, type }]) => !(tamperSignature || type)),
    ['of the type webauthn.get', { type: 'webauthn.get' }],
  ] as const) {
    const options = { ...(await factors.getCreationOptions(device)), excludeCredentials: [] };
    const response = passkey.authenticator.create(options, overrides);
    const registered = await factors.as(device, 'POST', '/passkeys', { response, name: 'Phone' });
    await fixture.refused(`a registration ${name}`, registered, INVALID);
  }
  const copied = passkey.authenticator.create(
    { ...(await factors.getCreationOptions(device)), excludeCredentials: [] },
    { credentialId },
  );
  const taken = await factors.as(device, 'POST', '/passkeys', { response: copied, name: 'Phone' });
  await fixture.refused('a registration with the credential id of another user', taken, '409 PASSKEY_TAKEN');
  const options = await factors.getCreationOptions(device);
  const response = passkey.authenticator.create({ ...options, excludeCredentials: [] });
  const other = await victim.factors.as(victim.device, 'POST', '/passkeys', { response, name: 'Phone' });
  await fixture.refused('a registration with the options of another user', other, INVALID);
};

export const testPasskeyAttacks = async (fixture: Fixture): Promise<void> => {
  await testForgeries(fixture);
  await testVerification(fixture);
  await testCounter(fixture);
  await testOtherUsers(fixture);
  await testRegistrations(fixture);
};
