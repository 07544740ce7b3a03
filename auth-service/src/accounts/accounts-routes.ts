import { toClientSubnet } from '@platform/shared/http/client-subnet';
import { toProfileBody, toUserBody } from '../account-body.ts';
import type { ProfileKind } from '../kinds.ts';
import type { KindOperations, SignUpOperations } from '../operations.ts';
import type { AccountService } from './accounts-service.ts';
import type { PasswordService } from './passwords-service.ts';

export const signUpRoutes = (
  kind: ProfileKind,
  accounts: AccountService,
): Pick<SignUpOperations, 'signUp'> => ({
  signUp: async ({ body }) => {
    const account = await accounts.signUp(kind, body);
    return {
      status: 201,
      body: { user: toUserBody(kind, account), profile: toProfileBody(account.profile) },
    };
  },
});

export const passwordRoutes = (passwords: PasswordService): Pick<KindOperations, 'resetPasswordMe'> => ({
  resetPasswordMe: async ({ caller, body, client }) => {
    const origin = { ...client, network: toClientSubnet(client.address) };
    await passwords.changePassword(await caller.getCaller(), body, origin);
    return { status: 204 };
  },
});
