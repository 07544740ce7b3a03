import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { totpCode } from '@platform/shared/testing/totp';
import { nextTotpCode } from '../../factor-client.ts';
import {
  CHALLENGE_INVALID,
  createFactorUser,
  createPasskeyUser,
  createVerifiedUser,
  type FactorUser,
  type Fixture,
  INVALID,
  KINDS,
  openChallenge,
  passTotpSteps,
} from '../fixture.ts';

const useProof = async (user: FactorUser, proof: object) => {
  const { challenge, fingerprint } = await openChallenge(user);
  return await user.factors.secondStep(challenge, fingerprint, proof);
};

const testTotp = async (fixture: Fixture, user: FactorUser): Promise<void> => {
  const { kind, totp, factors, device } = user;
  const of = `of ${kind.plural}`;
  const confirmed = totpCode(totp.secret, -1);
  await fixture.refused(
    `the code of an earlier time step ${of}`,
    await useProof(user, { totpCode: confirmed }),
    INVALID,
  );
  const code = { totpCode: nextTotpCode(totp) };
  await fixture.accepted(`a new code ${of}`, useProof(user, code));
  await fixture.refused(`the same code again ${of}`, useProof(user, code), INVALID);
  const removal = { currentPassword: PASSWORD, ...code };
  await fixture.refused(
    `the same code to remove the factor ${of}`,
    await factors.as(device, 'DELETE', '/second-factor/totp', removal),
    INVALID,
  );
  await passTotpSteps(fixture, user.id);
  const old = { totpCode: totpCode(totp.secret, -4) };
  await fixture.refused(`a code from two minutes ago ${of}`, useProof(user, old), INVALID);
  const future = { totpCode: totpCode(totp.secret, 4) };
  await fixture.refused(`a code from two minutes ahead ${of}`, useProof(user, future), INVALID);
};

const testConfirmation = async (fixture: Fixture, kind: FactorUser['kind']): Promise<void> => {
  const user = await createVerifiedUser(fixture, kind);
  const factors = fixture.client(kind);
  const secret = await factors.setUpTotp(user.device);
  const code = totpCode(secret);
  const confirmed = await factors.confirmTotp(user.device, code);
  await fixture.accepted(`the confirmation of a TOTP set-up of ${kind.plural}`, confirmed);
  const totp = { secret, recoveryCodes: confirmed.body.recoveryCodes, usedCode: code };
  const again = await useProof({ ...user, factors, totp }, { totpCode: code });
  await fixture.refused(`its code at the next sign-in of ${kind.plural}`, again, INVALID);
  const repeated = await factors.confirmTotp(user.device, totpCode(secret, 1));
  fixture.check(
    repeated.status >= 400 && repeated.status < 500 && repeated.body.recoveryCodes === undefined,
    `a second confirmation of ${kind.plural}`,
    repeated,
  );
};

const testRecoveryCode = async (fixture: Fixture, user: FactorUser): Promise<void> => {
  const of = `of ${user.kind.plural}`;
  const [first = '', second = ''] = user.totp.recoveryCodes;
  const spelled = { recoveryCode: ` ${first.toUpperCase().replaceAll('-', ' ')}` };
  await fixture.accepted(`a recovery code in another spelling ${of}`, useProof(user, spelled));
  const again = await useProof(user, { recoveryCode: first });
  await fixture.refused(`the same recovery code again ${of}`, again, INVALID);
  const replacement = { currentPassword: PASSWORD, recoveryCode: second };
  const replaced = await user.factors.as(user.device, 'POST', '/second-factor/recovery-codes', replacement);
  await fixture.accepted(`new recovery codes ${of}`, replaced);
  const old = await useProof(user, { recoveryCode: user.totp.recoveryCodes[2] });
  await fixture.refused(`a recovery code from before ${of}`, old, INVALID);
};

const testChallenge = async (fixture: Fixture, user: FactorUser): Promise<void> => {
  await passTotpSteps(fixture, user.id);
  const { challenge, fingerprint } = await openChallenge(user);
  const first = await user.factors.secondStep(challenge, fingerprint, {
    totpCode: totpCode(user.totp.secret),
  });
  await fixture.accepted(`a challenge of ${user.kind.plural}`, first);
  const again = await user.factors.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(user.totp) });
  await fixture.refused(
    `the same challenge of ${user.kind.plural} with a new code`,
    again,
    CHALLENGE_INVALID,
  );
};

const testPasskey = async (fixture: Fixture, kind: FactorUser['kind']): Promise<void> => {
  const user = await createPasskeyUser(fixture, kind);
  const { factors, passkey, device } = user;
  const of = `of ${kind.plural}`;
  const fingerprint = uniqueFingerprint();
  const options = await factors.getPasskeyOptions(fingerprint);
  const assertion = passkey.authenticator.get(options);
  const signIn = () => factors.signInWithPasskey(fingerprint, assertion);
  await fixture.accepted(`an assertion at the sign-in without a password ${of}`, signIn());
  await fixture.refused(`the same assertion again ${of}`, signIn(), INVALID);

  const first = await openChallenge(user);
  const stepOptions = await factors.getSecondStepOptions(first.challenge, first.fingerprint);
  const proof = { passkey: passkey.authenticator.get(stepOptions) };
  const used = await factors.secondStep(first.challenge, first.fingerprint, proof);
  await fixture.accepted(`an assertion at the second step ${of}`, used);
  const second = await openChallenge(user);
  const replayed = await factors.secondStep(second.challenge, second.fingerprint, proof);
  await fixture.refused(`the same assertion with a new challenge ${of}`, replayed, INVALID);
  const moved = await factors.secondStep(second.challenge, second.fingerprint, {
    passkey: passkey.authenticator.get(await factors.getConfirmationOptions(device)),
  });
  await fixture.refused(`an assertion for a confirmation at the second step ${of}`, moved, INVALID);
  const removal = {
    currentPassword: PASSWORD,
    passkey: passkey.authenticator.get(await factors.getPasskeyOptions(fingerprint)),
  };
  const removed = await factors.as(device, 'POST', '/second-factor/recovery-codes', removal);
  await fixture.refused(`an assertion for a sign-in as a confirmation ${of}`, removed, INVALID);
};

const testRegistration = async (fixture: Fixture, kind: FactorUser['kind']): Promise<void> => {
  const user = await createPasskeyUser(fixture, kind);
  const other = await createVerifiedUser(fixture, kind);
  const { factors, device, passkey } = user;
  const response = passkey.authenticator.create({
    ...(await factors.getCreationOptions(device)),
    excludeCredentials: [],
  });
  const register = (by: typeof device) => factors.as(by, 'POST', '/passkeys', { response, name: 'Phone' });
  await fixture.accepted(`a registration of ${kind.plural}`, register(device), 201);
  await fixture.refused(`the same registration again of ${kind.plural}`, register(device), INVALID);
  await fixture.refused(
    `the same registration by another user of ${kind.plural}`,
    await register(other.device),
    INVALID,
  );
  const { passkeys } = await factors.readState(device);
  fixture.check(passkeys.length === 2, `passkeys of ${kind.plural} afterwards`, `${passkeys.length}`);
};

export const testReplay = async (fixture: Fixture): Promise<void> => {
  for (const kind of KINDS) {
    fixture.section(
      `Second factor: replay of codes, challenges, assertions and registrations of ${kind.plural}`,
    );
    const user = await createFactorUser(fixture, kind);
    await testTotp(fixture, user);
    await testConfirmation(fixture, kind);
    await testChallenge(fixture, user);
    await testRecoveryCode(fixture, await createFactorUser(fixture, kind));
    await testPasskey(fixture, kind);
    await testRegistration(fixture, kind);
  }
};
