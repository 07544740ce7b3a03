import { type AccountKind, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import type { Records } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import { createFactorClient, type FactorClient } from '../factor-client.ts';

type Account = { userId: string; email: string; password: string };

/** Creates a client that validates each response. */
export const createValidatingClient = (gatewayUrl: string, kind: AccountKind): FactorClient =>
  createFactorClient(kind, ({ method = 'GET', path, ...options }) =>
    send(gatewayUrl, method, path, options as RequestOptions),
  );

/** Creates an account with a verified address, because second factors need one. */
export const createAccount = async (client: FactorClient, records: Records): Promise<Account> => {
  if (client.kind === ADMINISTRATOR) {
    const { id, email, password } = await records.user(['ADMIN'], { isEmailVerified: true });
    return { userId: id, email, password };
  }
  const account = await client.auth.createAccount();
  await records.verifyEmail(account.userId);
  return account;
};
