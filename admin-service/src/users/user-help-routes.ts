import type { components } from '@platform/openapi/types/admin';
import { createAuditCursors } from '@platform/shared/platform/audit/audit-position';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { UserAccessService } from './user-access-service.ts';
import type { UserDataService } from './user-data-service.ts';
import type { UserMailService } from './user-mails-service.ts';

type AccessNames =
  | 'removeSecondFactor'
  | 'removeTotpOfUser'
  | 'removePasskeyOfUser'
  | 'unlinkIdentityOfUser'
  | 'endPauseOfUser';

export const userAccessRoutes = (access: UserAccessService): Pick<AdminOperations, AccessNames> => ({
  removeSecondFactor: async ({ path, caller, context }) => {
    await access.removeSecondFactor(path.id, toBy(caller, context));
    return { status: 204 };
  },

  removeTotpOfUser: async ({ path, caller, context }) => {
    await access.removeTotp(path.id, toBy(caller, context));
    return { status: 204 };
  },

  removePasskeyOfUser: async ({ path, caller, context }) => {
    await access.removePasskey(path.id, path.passkeyId, toBy(caller, context));
    return { status: 204 };
  },

  unlinkIdentityOfUser: async ({ path, caller, context }) => {
    await access.unlinkIdentity(path.id, path.identityId, toBy(caller, context));
    return { status: 204 };
  },

  endPauseOfUser: async ({ path, caller, context }) => {
    await access.endPause(path.id, path.secret, toBy(caller, context));
    return { status: 204 };
  },
});

export const userDataRoutes = (data: UserDataService): Pick<AdminOperations, 'exportUser'> => ({
  exportUser: async ({ path, query: { auditCursor }, caller, context }) => {
    const { toCursor, parseCursor } = createAuditCursors('/query/auditCursor', path.id.toLowerCase());
    const before = auditCursor === undefined ? undefined : parseCursor(auditCursor);
    const { data: exported, next } = await data.exportUser(path.id, before, toBy(caller, context));
    const body = { ...exported, nextAuditCursor: next && toCursor(next) };
    // Postgres builds the object, so only the tests validate its type.
    return { status: 200, body: body as components['schemas']['AccountExport'] };
  },
});

export const userMailRoutes = (
  mails: UserMailService,
): Pick<AdminOperations, 'sendResetMail' | 'sendVerificationMail'> => ({
  sendResetMail: async ({ path, caller, context }) => ({
    status: 202,
    body: await mails.sendResetMail(path.id, toBy(caller, context)),
  }),

  sendVerificationMail: async ({ path, caller, context }) => ({
    status: 202,
    body: await mails.sendVerificationMail(path.id, toBy(caller, context)),
  }),
});
