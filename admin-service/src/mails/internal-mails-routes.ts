import type { InternalOperations } from '../authentication/operations.ts';
import type { ServiceMailService } from './service-mails-service.ts';

/** The same text can be encoded in two ways, which are equal to people. */
const compose = (text: string): string => text.normalize('NFC');

/** Operations for other services. */
export const internalMailRoutes = (mails: ServiceMailService): Pick<InternalOperations, 'putMail'> => ({
  putMail: async ({ path, body, caller: { service }, context }) => {
    const { userId, subject, text, action } = body;
    const mail = {
      userId: userId.toLowerCase(),
      subject: compose(subject),
      text: compose(text),
      action: action ? { label: compose(action.label), url: action.url } : null,
    };
    const { id, state, createdAt } = await mails.putMail(path.id, mail, { service, context });
    return { status: 202, body: { id, state, createdAt } };
  },
});
