import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { toPageBody } from '../lists/lists.ts';
import type { ContactService } from './contact-service.ts';

type Names = 'submitLeadRequest' | 'submitSupportRequest' | 'listContactRequests' | 'editContactRequest';

export const contactRoutes = (contact: ContactService): Pick<AdminOperations, Names> => ({
  submitLeadRequest: async ({ body, context }) => {
    await contact.submit('lead', body, { anonymous: true, context });
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, context }) => {
    await contact.submit('support', body, { anonymous: true, context });
    return { status: 204 };
  },

  listContactRequests: async ({ query }) => ({
    status: 200,
    body: toPageBody(await contact.list(query)),
  }),

  editContactRequest: async ({ path, body, caller, context }) => ({
    status: 200,
    body: await contact.setDone(path.id, body.isDone, toBy(caller, context)),
  }),
});
