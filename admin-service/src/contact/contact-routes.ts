import type { AdminOperations } from '../operations.ts';
import type { ContactService } from './contact-service.ts';

export const contactRoutes = (
  contact: ContactService,
): Pick<AdminOperations, 'submitLeadRequest' | 'submitSupportRequest'> => ({
  submitLeadRequest: async ({ body, context }) => {
    await contact.submitLead(body, context);
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, context }) => {
    await contact.submitSupport(body, context);
    return { status: 204 };
  },
});
