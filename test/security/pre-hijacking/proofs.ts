import type { Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { deleteResendLocks } from '../../code-time.ts';
import type { FactorClient } from '../../factor-client.ts';
import type { Fixture, User } from '../fixture.ts';
import type { Account } from './attacker.ts';

const NEW_PASSWORD = 'A better horse 2';

/** The account as it is afterwards, and a device of the owner. */
export type Owned = { account: Account; device: Device };
type Claim = { fixture: Fixture; user: User; device: Device };
/** The owner proves the address, then has a password that the attacker does not know. */
export type Prove = (claim: Claim) => Promise<Owned>;

const expectSuccess = (response: HttpResponse): HttpResponse => {
  if (response.status < 300) return response;
  throw new Error(`The owner gets ${formatStatus(response)}`);
};

const changePassword = async (factors: FactorClient, device: Device): Promise<void> => {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expectSuccess(await factors.auth.changePassword(device, change));
};

const verify: Prove = async ({ fixture, user: { email, factors }, device }) => {
  expectSuccess(await factors.auth.sendVerificationCode(device));
  const code = codeIn(await fixture.inbox.untilMail(email, 'Your verification code'));
  expectSuccess(await factors.auth.verifyEmail(device, { code }));
  return { account: { email, password: PASSWORD }, device };
};

const changeEmail: Prove = async ({ fixture, user: { factors }, device }) => {
  await deleteResendLocks(fixture.stack.redisUrl);
  const newEmail = uniqueEmail();
  const body = { newEmail, currentPassword: PASSWORD };
  expectSuccess(await factors.as(device, 'POST', '/email/change', body));
  const code = codeIn(await fixture.inbox.untilMail(newEmail, ''));
  expectSuccess(await factors.as(device, 'POST', '/email/change/check', { code }));
  return { account: { email: newEmail, password: PASSWORD }, device };
};

const reset: Prove = async ({ fixture, user: { email, factors } }) => {
  expectSuccess(await factors.auth.sendResetCode({ email }));
  const code = codeIn(await fixture.inbox.untilMail(email, 'Your code to reset the password'));
  expectSuccess(await factors.auth.resetPassword({ email, code, newPassword: NEW_PASSWORD }));
  const account = { email, password: NEW_PASSWORD };
  return { account, device: await factors.auth.openDevice(account) };
};

export const PROOFS: Record<string, Prove> = {
  'verification by code': verify,
  'reset by code': reset,
  'change of e-mail by code': changeEmail,
};

/** After a proof in a session the password is still the one that the attacker may know. */
export const secureAccount = async (factors: FactorClient, { account, device }: Owned): Promise<Account> => {
  if (account.password !== NEW_PASSWORD) await changePassword(factors, device);
  return { ...account, password: NEW_PASSWORD };
};
