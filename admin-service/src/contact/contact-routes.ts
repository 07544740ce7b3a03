import type { AdminOperations } from '../security.ts';
import type { InTransaction } from '../stores.ts';

type Dependencies = {
  inTransaction: InTransaction;
  /** The address that receives the forms. */
  inbox: string;
};

/** One transaction stores the form and adds its mail to the outbox. */
export const contactRoutes = ({
  inTransaction,
  inbox,
}: Dependencies): Pick<AdminOperations, 'submitLeadRequest' | 'submitSupportRequest'> => ({
  submitLeadRequest: async ({ body, context: { address, requestId } }) => {
    await inTransaction(async ({ contact, outbox }) => {
      await contact.addLead(body, address);
      await outbox.add({ template: 'lead-request', to: inbox, request: body }, requestId);
    });
    return { status: 204 };
  },

  submitSupportRequest: async ({ body, context: { address, requestId } }) => {
    await inTransaction(async ({ contact, outbox }) => {
      await contact.addSupport(body, address);
      await outbox.add({ template: 'support-request', to: inbox, request: body }, requestId);
    });
    return { status: 204 };
  },
});
