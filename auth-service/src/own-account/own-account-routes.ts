import type { components } from '@platform/openapi/types/auth';
import { toUserBody } from '../accounts/account-mapper.ts';
import { toConfirmation } from '../accounts/confirmation.ts';
import type { Kind, ProfileKind } from '../kinds.ts';
import { type KindRequest, type ProfileChangeRequest, prefixOperations } from '../operations.ts';
import { clearRefreshCookie } from '../sessions/session.ts';
import type { EmailChangeService } from './email-change-service.ts';
import type { OwnAccountService } from './own-account-service.ts';
import type { PasswordChangeService } from './password-change-service.ts';

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const ownAccountRoutes = <K extends Kind>(
  kind: K,
  emailChanges: EmailChangeService,
  ownAccounts: OwnAccountService,
  passwordChanges: PasswordChangeService,
) => ({
  resetPasswordMe: async ({ caller, body }: KindRequest<'resetPasswordMe'>) => {
    await passwordChanges.changePassword(await caller.getCaller(), body.newPassword, toConfirmation(body));
    return { status: 204 as const };
  },

  emailChange: async ({ caller, body }: KindRequest<'emailChange'>) => ({
    status: 200 as const,
    body: await emailChanges.requestChange(caller, body.newEmail, toConfirmation(body)),
  }),

  emailChangeCheck: async ({ caller, body }: KindRequest<'emailChangeCheck'>) => {
    const account = await emailChanges.confirmChange(caller, body.code);
    return { status: 200 as const, body: { user: toUserBody(kind, account) } };
  },

  accountExport: async ({ caller }: KindRequest<'accountExport'>) => {
    const data = await ownAccounts.exportAccount(caller);
    // Built in Postgres; the tests validate it.
    return { status: 200 as const, body: data as components['schemas']['AccountExport'] };
  },

  accountDelete: async ({ caller, body }: KindRequest<'accountDelete'>) => {
    await ownAccounts.deleteAccount(caller, toConfirmation(body));
    return { status: 204 as const, cookies: [clearRefreshCookie(kind)] };
  },
});

export const profileRoutes = (ownAccounts: OwnAccountService) => {
  const ofKind = <K extends ProfileKind>(kind: K) =>
    prefixOperations(kind, {
      profileChange: async ({ caller, body }: ProfileChangeRequest) => ({
        status: 200 as const,
        body: { profile: await ownAccounts.changeProfile(kind, caller, body) },
      }),
    });
  return { ...ofKind('customer'), ...ofKind('employee') };
};
