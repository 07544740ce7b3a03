import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { UserAccessService } from './user-access-service.ts';

type Names =
  | 'removeSecondFactor'
  | 'removeTotpOfUser'
  | 'removePasskeyOfUser'
  | 'unlinkIdentityOfUser'
  | 'endPauseOfUser';

export const userAccessRoutes = (access: UserAccessService): Pick<AdminOperations, Names> => ({
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
