import { type AccountKind, ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpClient } from '@platform/shared/testing/http-client';
import type { Role } from '@platform/shared/testing/records';
import fc from 'fast-check';
import { createFactorClient } from '../factor-client.ts';
import { expectStatus, type FactorModel, type Step, THROTTLED } from './factor-model.ts';
import { FACTOR_STEPS } from './factor-steps.ts';
import type { Fixture } from './fixture.ts';

const MAX_STEPS = 14;

/** A user whose account is deleted cannot do anything. */
const checkDeleted: Step = async ({ client, device, email }) => {
  expectStatus(await client.auth.me(device), '401 TOKEN_INVALID');
  const signIn = await client.from(uniqueFingerprint(), '', { email, password: PASSWORD });
  expectStatus(signIn, '401 INVALID_CREDENTIALS');
};

const refresh: Step = async (model) => {
  const response = expectStatus(await model.client.auth.refresh(model.device), '200');
  model.device = model.client.auth.afterRefresh(model.device, response);
};

const exportAccount: Step = async ({ client, device, email, passkeys }) => {
  const { body } = expectStatus(await client.as(device, 'GET', '/account/export'), '200');
  if (body.user.email !== email || body.secondFactor.passkeys.length !== passkeys.length)
    throw new Error(`the export has ${body.user.email} and ${body.secondFactor.passkeys.length} passkeys`);
};

const deleteAccount: Step = async (model) => {
  const { client, device, secret, passkeys, recoveryCodes } = model;
  const hasFactor = secret !== undefined || passkeys.length > 0;
  const [recoveryCode] = recoveryCodes;
  const body = { currentPassword: PASSWORD, ...(hasFactor && recoveryCode && { recoveryCode }) };
  const response = await client.as(device, 'POST', '/account/delete', body);
  if (hasFactor && recoveryCode === undefined) expectStatus(response, '400 VALIDATION_FAILED');
  // The recovery code of a refused deletion stays valid.
  else if (client.kind === ADMINISTRATOR) expectStatus(response, '409 PLATFORM_ROLE_TAKEN');
  else {
    expectStatus(response, '204');
    model.isDeleted = true;
  }
};

const STEPS: Record<string, Step> = {
  ...FACTOR_STEPS,
  refresh,
  'export the account': exportAccount,
  'delete the account': deleteAccount,
};

const names = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...Object.keys(FACTOR_STEPS)) },
  { weight: 3, arbitrary: fc.constantFrom('refresh', 'export the account') },
  { weight: 1, arbitrary: fc.constant('delete the account') },
);

const createModel = async (fixture: Fixture, kind: AccountKind, send: HttpClient['send']) => {
  const { email, device } = await fixture.createIdentity(kind.role as Role);
  const model: FactorModel = {
    client: createFactorClient(kind, send),
    ...{ email, device, pendingSecret: undefined, secret: undefined, isDeleted: false },
    ...{ usedTotpCodes: [], recoveryCodes: [], usedRecoveryCodes: [], passkeys: [] },
  };
  return model;
};

const runSteps = async (model: FactorModel, steps: readonly string[]): Promise<void> => {
  const taken: string[] = [];
  try {
    for (const name of [...steps, 'compare the state']) {
      taken.push(name);
      await (model.isDeleted ? checkDeleted : STEPS[name])?.(model);
    }
  } catch (error) {
    if (error === THROTTLED) return;
    const { message, cause } = error as Error;
    throw new Error(`${message}\nSteps: ${taken.join(', ')}`, { cause });
  }
};

/**
 * Random sequences of steps with the second factors of a new user. `send` checks each response by itself; here the
 * responses are compared with a model of the account.
 */
const createSequence = (fixture: Fixture, kind: AccountKind, send: HttpClient['send']) =>
  fc.array(names, { minLength: 3, maxLength: MAX_STEPS }).map((steps) => async () => {
    await runSteps(await createModel(fixture, kind, send), steps);
  });

/** @param createSend returns a client whose requests count for the property of that name */
export const createSequences = (fixture: Fixture, createSend: (name: string) => HttpClient['send']) =>
  [CUSTOMER, EMPLOYEE, ADMINISTRATOR].map((kind) => {
    const name = `sequence/${kind.kind}`;
    return { name, attempt: createSequence(fixture, kind, createSend(name)) };
  });
