import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { InTransaction } from '../stores.ts';
import type { LeadRequest, SupportRequest } from './contact-store.ts';

type Dependencies = {
  inTransaction: InTransaction;
  /** Whose mailbox the forms go to. */
  inbox: string;
};

/** What is submitted is stored and mailed, both or neither. */
export const createContactService = ({ inTransaction, inbox }: Dependencies) => ({
  submitLead: (request: LeadRequest, { address, requestId }: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      await stores.contact.addLead(request, address);
      await stores.outbox.add({ template: 'lead-request', to: inbox, request }, requestId);
    }),

  submitSupport: (request: SupportRequest, { address, requestId }: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      await stores.contact.addSupport(request, address);
      await stores.outbox.add({ template: 'support-request', to: inbox, request }, requestId);
    }),
});

export type ContactService = ReturnType<typeof createContactService>;
