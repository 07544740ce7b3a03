import type { AdminOperations } from '../authentication/operations.ts';
import type { ContactService } from './contact-service.ts';

export const contactRoutes = (
  contact: ContactService,
): Pick<AdminOperations, 'submitLeadRequest' | 'submitSupportRequest'> => ({
  submitLeadRequest: async ({ body, context }) => {
    await contact.submit('lead', body, context.requestId);
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, context }) => {
    await contact.submit('support', body, context.requestId);
    return { status: 204 };
  },
});
