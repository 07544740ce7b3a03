import type { components } from '@platform/openapi/types/auth';
import { createAuditCursors } from '@platform/shared/platform/audit/audit-position';
import { toUserBody } from '../accounts/account-mapper.ts';
import type { AuthOperations } from '../authentication/operations.ts';
import { toConfirmation } from '../second-factor/confirmation.ts';
import { clearRefreshCookie } from '../sessions/refresh-token.ts';
import { toUserAgent } from '../sessions/session.ts';
import type { AdministratorNameService } from './administrator-name-service.ts';
import type { EmailChangeService } from './email-change-service.ts';
import type { OwnAccountService } from './own-account-service.ts';
import type { PasswordChangeService } from './password-change-service.ts';

export const ownAccountRoutes = (
  emailChanges: EmailChangeService,
  ownAccounts: OwnAccountService,
  passwordChanges: PasswordChangeService,
) =>
  ({
    resetPasswordMe: async ({ caller, body }) => {
      await passwordChanges.changePassword(await caller.getCaller(), body.newPassword, toConfirmation(body));
      return { status: 204 };
    },

    profileChange: async ({ kind, caller, body }) => ({
      status: 200,
      body: { profile: await ownAccounts.changeProfile(kind, caller, body) },
    }),

    emailChange: async ({ caller, body, userAgent }) => {
      const [confirmation, browser] = [toConfirmation(body), toUserAgent(userAgent)];
      const sent = await emailChanges.requestChange(caller, body.newEmail, confirmation, browser);
      return { status: 200, body: sent };
    },

    emailChangePending: async ({ caller }) => ({
      status: 200,
      body: { pending: await emailChanges.findPending(caller) },
    }),

    emailChangeCheck: async ({ kind, caller, body }) => {
      const account = await emailChanges.confirmChange(caller, body.code);
      return { status: 200, body: { user: toUserBody(kind, account) } };
    },

    accountExport: async ({ caller, query: { auditCursor } }) => {
      const { toCursor, parseCursor } = createAuditCursors('/query/auditCursor', caller.account.userId);
      const before = auditCursor === undefined ? undefined : parseCursor(auditCursor);
      const { data, next } = await ownAccounts.exportAccount(caller, before);
      const body = { ...data, nextAuditCursor: next && toCursor(next) };
      // Postgres builds the object, so only the tests validate its type.
      return { status: 200, body: body as components['schemas']['AccountExport'] };
    },

    signIns: async ({ caller, query: { cursor, perPage = 20 } }) => {
      const { toCursor, parseCursor } = createAuditCursors('/query/cursor', caller.account.userId);
      const before = cursor === undefined ? undefined : parseCursor(cursor);
      const { data, next } = await ownAccounts.listSignIns(caller, perPage, before);
      // Postgres builds the objects, so only the tests validate their type.
      const body = { data, nextCursor: next && toCursor(next) };
      return { status: 200, body: body as components['schemas']['SignInList'] };
    },

    accountDelete: async ({ kind, caller, body }) => {
      await ownAccounts.deleteAccount(caller, toConfirmation(body));
      return { status: 204, cookies: [clearRefreshCookie(kind)] };
    },
  }) satisfies Partial<AuthOperations>;

export const administratorNameRoutes = (names: AdministratorNameService) =>
  ({
    administratorName: async ({ caller }) => ({ status: 200, body: { name: await names.find(caller) } }),

    administratorNameChange: async ({ caller, body }) => ({
      status: 200,
      body: { name: await names.change(caller, body.name) },
    }),
  }) satisfies Partial<AuthOperations>;
