import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { InTransaction } from '../infrastructure.ts';
import type { ContactStore } from './contact-store.ts';

export type ContactStores = { contact: ContactStore; outbox: MailOutbox };

type Dependencies = {
  config: { contactInbox: string };
  inTransaction: InTransaction<ContactStores>;
};

export const createContactService = ({ config, inTransaction }: Dependencies) => ({
  /** One transaction stores the form and adds its mail to the outbox. */
  submit: (form: 'lead' | 'support', request: ContactForm, requestId: string): Promise<void> =>
    inTransaction(async ({ contact, outbox }) => {
      await contact.add(`${form}_requests`, request);
      await outbox.add({ template: `${form}-request`, to: config.contactInbox, request }, requestId, null);
    }),
});

export type ContactService = ReturnType<typeof createContactService>;
