import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { toPageBody } from '../lists/lists.ts';
import type { ContactEntryService } from './contact-entries-service.ts';
import type { ContactService } from './contact-service.ts';

type Names =
  | 'submitLeadRequest'
  | 'submitSupportRequest'
  | 'listContactRequests'
  | 'getContactRequest'
  | 'editContactRequest'
  | 'addContactRequestNote'
  | 'replyToContactRequest';

export const contactRoutes = (
  contact: ContactService,
  entries: ContactEntryService,
): Pick<AdminOperations, Names> => ({
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

  getContactRequest: async ({ path }) => ({ status: 200, body: await contact.find(path.id) }),

  editContactRequest: async ({ path, body, caller, context }) => ({
    status: 200,
    body: await contact.edit(path.id, body, toBy(caller, context)),
  }),

  addContactRequestNote: async ({ path, body, caller, context }) => ({
    status: 201,
    body: await entries.addNote(path.id, body.text, toBy(caller, context)),
  }),

  replyToContactRequest: async ({ path, body, caller, context }) => ({
    status: 201,
    body: await entries.reply(path.id, body.text, toBy(caller, context)),
  }),
});
