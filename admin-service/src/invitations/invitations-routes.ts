import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { InvitationService } from './invitations-service.ts';

export const invitationRoutes = (
  invitations: InvitationService,
): Pick<AdminOperations, 'listInvitations' | 'invite' | 'withdrawInvitation'> => ({
  listInvitations: async () => ({ status: 200, body: await invitations.list() }),

  invite: async ({ body, caller, context }) => ({
    status: 201,
    body: await invitations.invite(body, toBy(caller, context)),
  }),

  withdrawInvitation: async ({ path, caller, context }) => {
    await invitations.withdraw(path.id, toBy(caller, context));
    return { status: 204 };
  },
});
