import { toEntityTag } from '@platform/shared/http/entity-tag';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { toPageBody } from '../lists/lists.ts';
import type { AddedEntry, ContactEntryService } from './contact-entries-service.ts';
import { type ContactRequestDetail, toVersion } from './contact-request.ts';
import type { ContactService } from './contact-service.ts';

type Names =
  | 'submitLeadRequest'
  | 'submitSupportRequest'
  | 'listContactRequests'
  | 'getContactRequest'
  | 'editContactRequest'
  | 'addContactRequestNote'
  | 'replyToContactRequest';

const toFormResponse = (form: ContactRequestDetail) => ({
  status: 200 as const,
  body: form,
  headers: toEntityTag(toVersion(form)),
});

const toEntryResponse = ({ created, version, isNew }: AddedEntry) => ({
  status: isNew ? (201 as const) : (200 as const),
  body: created,
  headers: toEntityTag(version),
});

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

  getContactRequest: async ({ path }) => toFormResponse(await contact.find(path.id)),

  editContactRequest: async ({ path, body, headers, caller, context }) =>
    toFormResponse(await contact.edit(path.id, body, headers['If-Match'], toBy(caller, context))),

  addContactRequestNote: async ({ path, body, headers, caller, context }) =>
    toEntryResponse(await entries.addNote(path.id, body, headers['If-Match'], toBy(caller, context))),

  replyToContactRequest: async ({ path, body, headers, caller, context }) =>
    toEntryResponse(await entries.reply(path.id, body, headers['If-Match'], toBy(caller, context))),
});
