import type { AuthOperations } from '../authentication/operations.ts';
import type { InvitationService } from './invitations-service.ts';

export const invitationRoutes = (invitations: InvitationService) =>
  ({
    invitationCheck: async ({ body, context }) => ({
      status: 200,
      body: await invitations.check(body.code, context),
    }),

    invitationAccept: async ({ body, headers, language: accepted, timeZone, context }) => {
      const language = headers['Accept-Language'] === undefined ? undefined : accepted;
      return { status: 201, body: await invitations.accept({ ...body, language, timeZone }, context) };
    },
  }) satisfies Partial<AuthOperations>;
