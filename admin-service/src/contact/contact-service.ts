import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import { type ContactRequest, type ContactRequestKind, contactRequestNotFound } from './contact-request.ts';
import type { ContactStore } from './contact-store.ts';

export type ContactStores = { contact: ContactStore; outbox: MailOutbox; audit: AuditLog };

type Dependencies = {
  config: { contactInbox: string };
  inTransaction: InTransaction<ContactStores>;
};

export const createContactService = ({ config, inTransaction }: Dependencies) => ({
  /** One transaction stores the form and adds its mail to the outbox. */
  submit: (kind: ContactRequestKind, request: ContactForm, requestId: string): Promise<void> =>
    inTransaction(async ({ contact, outbox }) => {
      await contact.add(kind, request);
      await outbox.add({ template: `${kind}-request`, to: config.contactInbox, request }, requestId, null);
    }),

  /** Does nothing if the form already is in this state. @throws AppError 404 */
  setDone: (
    id: string,
    isDone: boolean,
    { account }: AdminCaller,
    context: RequestContext,
  ): Promise<ContactRequest> =>
    inTransaction(async ({ contact, audit }) => {
      if (await contact.setDone(id, isDone ? account.userId : null))
        await audit.add({
          ...context,
          action: isDone ? 'CONTACT_REQUEST_DONE' : 'CONTACT_REQUEST_REOPENED',
          actorId: account.userId,
          targetType: 'CONTACT_REQUEST',
          targetId: id,
        });
      const form = await contact.find(id);
      if (!form) throw contactRequestNotFound();
      return form;
    }),
});

export type ContactService = ReturnType<typeof createContactService>;
