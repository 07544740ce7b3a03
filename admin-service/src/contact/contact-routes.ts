import type { RequestContext } from '@platform/shared/http/request-context';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { AdminOperations } from '../security.ts';
import type { InTransaction } from '../stores.ts';

type Dependencies = {
  inTransaction: InTransaction;
  inbox: string;
};

export const contactRoutes = ({
  inTransaction,
  inbox,
}: Dependencies): Pick<AdminOperations, 'submitLeadRequest' | 'submitSupportRequest'> => {
  /** One transaction stores the form and adds its mail to the outbox. */
  const submit = async (form: 'lead' | 'support', request: ContactForm, { requestId }: RequestContext) => {
    await inTransaction(async ({ contact, outbox }) => {
      await contact.add(`${form}_requests`, request);
      await outbox.add({ template: `${form}-request`, to: inbox, request }, requestId, null);
    });
    return { status: 204 } as const;
  };
  return {
    submitLeadRequest: ({ body, context }) => submit('lead', body, context),
    submitSupportRequest: ({ body, context }) => submit('support', body, context),
  };
};
