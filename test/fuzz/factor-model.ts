import type { Device } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { AddedPasskey, FactorClient } from '../factor-client.ts';

/** What the platform must know about a user after the steps so far. */
export type FactorModel = {
  client: FactorClient;
  email: string;
  device: Device;
  pendingSecret: string | undefined;
  secret: string | undefined;
  /** The used codes of the secret; the last one is the newest. */
  usedTotpCodes: string[];
  recoveryCodes: string[];
  usedRecoveryCodes: string[];
  passkeys: AddedPasskey[];
  isDeleted: boolean;
};

/** Sends requests, compares their responses with the model, and changes the model as the platform must have changed. */
export type Step = (model: FactorModel) => Promise<void>;

/** Ends a sequence: its random steps may have used up the attempts. */
export const THROTTLED = new Error('throttled');

export const expectStatus = (response: HttpResponse, expected: string): HttpResponse => {
  const status = formatStatus(response);
  if (status === expected) return response;
  if (status === '429 RATE_LIMITED') throw THROTTLED;
  throw new Error(`${status} in place of ${expected}: ${response.text.slice(0, 200)}`);
};

export const confirmation = (fields: object = {}) => ({ currentPassword: PASSWORD, ...fields });

/** The factors that a sign-in must offer. */
export const listFactors = ({ secret, passkeys, recoveryCodes }: FactorModel): string[] => {
  const isEnabled = secret !== undefined || passkeys.length > 0;
  return [
    ...(passkeys.length > 0 ? ['passkey'] : []),
    ...(isEnabled && recoveryCodes.length > 0 ? ['recovery-code'] : []),
    ...(secret === undefined ? [] : ['totp']),
  ];
};

/** The recovery codes go with the last factor. */
export const forgetUnneededCodes = (model: FactorModel): void => {
  if (model.secret !== undefined || model.passkeys.length > 0) return;
  model.usedRecoveryCodes.push(...model.recoveryCodes.splice(0));
};

export const takeRecoveryCode = (model: FactorModel): string | undefined => {
  const code = model.recoveryCodes.shift();
  if (code !== undefined) model.usedRecoveryCodes.push(code);
  return code;
};

export const replaceRecoveryCodes = (model: FactorModel, { body }: HttpResponse): void => {
  model.usedRecoveryCodes.push(...model.recoveryCodes);
  model.recoveryCodes = [...body.recoveryCodes];
};
