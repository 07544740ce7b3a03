import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { type FetchPage, toPageBody } from '../lists/lists.ts';
import type { ContactService } from './contact-service.ts';
import { CONTACT_REQUESTS, type ContactRequestRow, toContactRequest } from './contact-store.ts';

type Names = 'submitLeadRequest' | 'submitSupportRequest' | 'listContactRequests' | 'editContactRequest';

type Dependencies = { contact: ContactService; fetchPage: FetchPage };

export const contactRoutes = ({ contact, fetchPage }: Dependencies): Pick<AdminOperations, Names> => ({
  submitLeadRequest: async ({ body, context }) => {
    await contact.submit('lead', body, { anonymous: true, context });
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, context }) => {
    await contact.submit('support', body, { anonymous: true, context });
    return { status: 204 };
  },

  listContactRequests: async ({ query }) => {
    const found = await fetchPage<ContactRequestRow>(CONTACT_REQUESTS, query);
    return { status: 200, body: toPageBody(found, toContactRequest) };
  },

  editContactRequest: async ({ path, body, caller, context }) => ({
    status: 200,
    body: await contact.setDone(path.id, body.isDone, toBy(caller, context)),
  }),
});
