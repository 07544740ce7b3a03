import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { totpCode } from '@platform/shared/testing/totp';
import { nextTotpCode } from '../factor-client.ts';
import {
  confirmation,
  expectStatus,
  type FactorModel,
  forgetUnneededCodes,
  listFactors,
  replaceRecoveryCodes,
  type Step,
  takeRecoveryCode,
} from './factor-model.ts';

const signIn = async (model: FactorModel) => {
  const { client, email } = model;
  const fingerprint = uniqueFingerprint();
  const response = await client.from(fingerprint, '', { email, password: PASSWORD });
  const factors = listFactors(model);
  if (factors.length === 0) {
    expectStatus(response, '200');
    return undefined;
  }
  expectStatus(response, '401 SECOND_FACTOR_REQUIRED');
  const offered = response.body.factors.toSorted().join(', ');
  if (offered !== factors.join(', ')) throw new Error(`${offered} in place of ${factors.join(', ')}`);
  return { fingerprint, challenge: String(response.body.challenge) };
};

const finishSignIn = async (model: FactorModel, proof: object, expected: string): Promise<void> => {
  const opened = await signIn(model);
  if (!opened) return;
  const { challenge, fingerprint } = opened;
  expectStatus(await model.client.secondStep(challenge, fingerprint, proof), expected);
};

const signInWithPasskey = async ({ client, passkeys }: FactorModel, isForged: boolean): Promise<void> => {
  const [passkey] = passkeys;
  if (!passkey) return;
  const fingerprint = uniqueFingerprint();
  const options = expectStatus(await client.from(fingerprint, '/passkey/options'), '200').body;
  const assertion = passkey.authenticator.get(options, { tamperSignature: isForged });
  const response = await client.signInWithPasskey(fingerprint, assertion);
  expectStatus(response, isForged ? '401 SECOND_FACTOR_INVALID' : '200');
};

const setUpTotp: Step = async (model) => {
  const response = await model.client.as(model.device, 'POST', '/second-factor/totp', confirmation());
  if (model.secret !== undefined) expectStatus(response, '409 SECOND_FACTOR_ENABLED');
  else model.pendingSecret = String(expectStatus(response, '201').body.secret);
};

const confirmTotp: Step = async (model) => {
  const { client, device, secret, pendingSecret = 'A'.repeat(32) } = model;
  const code = totpCode(pendingSecret);
  const response = await client.confirmTotp(device, code);
  if (secret !== undefined) expectStatus(response, '409 SECOND_FACTOR_ENABLED');
  else if (model.pendingSecret === undefined) expectStatus(response, '401 SECOND_FACTOR_INVALID');
  else {
    replaceRecoveryCodes(model, expectStatus(response, '200'));
    model.secret = pendingSecret;
    model.pendingSecret = undefined;
    model.usedTotpCodes = [code];
  }
};

const signInWithTotp: Step = async (model) => {
  // The code of the next step is good once; the one after it is too early.
  if (model.secret === undefined || model.usedTotpCodes.length !== 1) return;
  const code = nextTotpCode({ secret: model.secret });
  await finishSignIn(model, { totpCode: code }, '200');
  model.usedTotpCodes.push(code);
};

const replayTotp: Step = async (model) => {
  const totpCode = model.usedTotpCodes.at(-1);
  if (totpCode !== undefined) await finishSignIn(model, { totpCode }, '401 SECOND_FACTOR_INVALID');
};

const signInWithRecoveryCode: Step = async (model) => {
  if (listFactors(model).length === 0 || model.recoveryCodes.length === 0) return;
  await finishSignIn(model, { recoveryCode: model.recoveryCodes[0] }, '200');
  takeRecoveryCode(model);
};

const replayRecoveryCode: Step = async (model) => {
  const recoveryCode = model.usedRecoveryCodes.at(-1);
  if (recoveryCode !== undefined) await finishSignIn(model, { recoveryCode }, '401 SECOND_FACTOR_INVALID');
};

const finishWithPasskey: Step = async (model) => {
  const passkey = model.passkeys.at(-1);
  const opened = passkey && (await signIn(model));
  if (!opened) return;
  const { challenge, fingerprint } = opened;
  const options = await model.client.getSecondStepOptions(challenge, fingerprint);
  const proof = { passkey: passkey.authenticator.get(options) };
  expectStatus(await model.client.secondStep(challenge, fingerprint, proof), '200');
};

const addPasskey: Step = async (model) => {
  // Throws when the attempts are used up.
  const { client, device } = model;
  expectStatus(await client.as(device, 'POST', '/passkeys/options', confirmation()), '200');
  model.passkeys.push(await client.addPasskey(device));
};

const removePasskey: Step = async (model) => {
  const { client, device, passkeys } = model;
  const passkey = passkeys.pop();
  const id = passkey?.id ?? '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';
  const response = await client.as(device, 'DELETE', `/passkeys/${id}`, confirmation());
  expectStatus(response, passkey ? '204' : '404 PASSKEY_NOT_FOUND');
  forgetUnneededCodes(model);
};

const replaceCodes: Step = async (model) => {
  const recoveryCode = takeRecoveryCode(model) ?? 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa';
  const isRight = model.usedRecoveryCodes.at(-1) === recoveryCode;
  const response = await model.client.as(
    model.device,
    'POST',
    '/second-factor/recovery-codes',
    confirmation({ recoveryCode }),
  );
  expectStatus(response, isRight ? '200' : '401 SECOND_FACTOR_INVALID');
  if (isRight) replaceRecoveryCodes(model, response);
};

const removeTotp: Step = async (model) => {
  const { client, device } = model;
  const recoveryCode = takeRecoveryCode(model);
  if (recoveryCode === undefined) return;
  const body = confirmation({ recoveryCode });
  expectStatus(await client.as(device, 'DELETE', '/second-factor/totp', body), '204');
  model.secret = undefined;
  model.usedTotpCodes = [];
  forgetUnneededCodes(model);
};

const compareState: Step = async (model) => {
  const { totp, passkeys, recoveryCodesLeft } = await model.client.readState(model.device);
  const actual = `${totp !== null} ${passkeys.length} ${recoveryCodesLeft}`;
  const expected = `${model.secret !== undefined} ${model.passkeys.length} ${model.recoveryCodes.length}`;
  if (actual !== expected) throw new Error(`the state is ${actual} in place of ${expected}`);
};

export const FACTOR_STEPS: Record<string, Step> = {
  'set TOTP up': setUpTotp,
  'confirm TOTP': confirmTotp,
  'sign in with TOTP': signInWithTotp,
  'replay a TOTP code': replayTotp,
  'sign in with a recovery code': signInWithRecoveryCode,
  'replay a recovery code': replayRecoveryCode,
  'sign in with password and passkey': finishWithPasskey,
  'sign in with a passkey': (model) => signInWithPasskey(model, false),
  'forge a passkey': (model) => signInWithPasskey(model, true),
  'sign in with the password': async (model) => void (await signIn(model)),
  'add a passkey': addPasskey,
  'remove a passkey': removePasskey,
  'replace the recovery codes': replaceCodes,
  'remove TOTP': removeTotp,
  'compare the state': compareState,
};
