import { type ByAdministrator, type ByAnybody, toAuditRecord } from '@platform/shared/platform/access/by';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { InTransactionBy } from '../infrastructure.ts';
import type { Page } from '../lists/lists.ts';
import {
  type ContactRequest,
  type ContactRequestKind,
  type ContactRequestQuery,
  contactRequestNotFound,
} from './contact-request.ts';
import type { ContactList, ContactStore } from './contact-store.ts';

type ContactStores = { contact: ContactStore; outbox: MailOutbox; audit: AuditLog };

type Dependencies = {
  config: { contactInbox: string };
  lists: { contact: ContactList };
  inTransaction: InTransactionBy<ContactStores>;
};

export const createContactService = ({ config, lists, inTransaction }: Dependencies) => ({
  /** Newest first. */
  list: (query: ContactRequestQuery): Promise<Page<ContactRequest>> => lists.contact.list(query),

  /** One transaction stores the form and adds its mail to the outbox. */
  submit: (kind: ContactRequestKind, request: ContactForm, by: ByAnybody): Promise<void> =>
    inTransaction(by, async ({ contact, outbox }) => {
      await contact.add(kind, request);
      const mail = { template: `${kind}-request`, to: config.contactInbox, request } as const;
      await outbox.add(mail, by.context.requestId, null);
    }),

  /** Does nothing if the form already is in this state. @throws AppError 404 */
  setDone: (id: string, isDone: boolean, by: ByAdministrator): Promise<ContactRequest> =>
    inTransaction(by, async ({ contact, audit }) => {
      if (await contact.setDone(id, isDone ? by.administrator.userId : null)) {
        const action = isDone ? 'CONTACT_REQUEST_DONE' : 'CONTACT_REQUEST_REOPENED';
        await audit.add(toAuditRecord(by, action, { targetType: 'CONTACT_REQUEST', targetId: id }));
      }
      const form = await contact.find(id);
      if (!form) throw contactRequestNotFound();
      return form;
    }),
});

export type ContactService = ReturnType<typeof createContactService>;
