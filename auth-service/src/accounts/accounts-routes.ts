import { toProfileBody, toUserBody } from '../account-body.ts';
import type { Kind } from '../kinds.ts';
import type { KindOperations } from '../operations.ts';
import type { AccountService } from './accounts-service.ts';
import type { PasswordService } from './passwords-service.ts';

export const accountRoutes = (
  kind: Kind,
  accounts: AccountService,
  passwords: PasswordService,
): Pick<KindOperations, 'signUp' | 'resetPasswordMe'> => ({
  signUp: async ({ body }) => {
    const account = await accounts.signUp(kind, body);
    return { status: 201, body: { user: toUserBody(kind, account), profile: toProfileBody(account) } };
  },

  resetPasswordMe: async ({ caller, body, client }) => {
    await passwords.changePassword(caller, body, client.requestId);
    return { status: 204 };
  },
});
