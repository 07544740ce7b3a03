import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { UserMailService } from './user-mails-service.ts';

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
