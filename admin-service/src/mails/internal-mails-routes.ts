import type { InternalOperations } from '../authentication/operations.ts';
import type { ServiceMailService } from './service-mails-service.ts';

/** Operations for other services. */
export const internalMailRoutes = (mails: ServiceMailService): Pick<InternalOperations, 'putMail'> => ({
  putMail: async ({ path, body, caller: { service }, context }) => {
    const { userId, subject, text, action = null } = body;
    const mail = { userId, subject, text, action: action && { label: action.label, url: action.url } };
    const { id, state, createdAt } = await mails.putMail(path.id, mail, { service, context });
    return { status: 202, body: { id, state, createdAt } };
  },
});
