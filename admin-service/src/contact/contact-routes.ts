import type { AdminOperations } from '../operations.ts';
import type { ContactService } from './contact-service.ts';

export const contactRoutes = (
  contact: ContactService,
): Pick<AdminOperations, 'submitLeadRequest' | 'submitSupportRequest'> => ({
  submitLeadRequest: async ({ body, client }) => {
    await contact.submitLead(body, client);
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, client }) => {
    await contact.submitSupport(body, client);
    return { status: 204 };
  },
});
