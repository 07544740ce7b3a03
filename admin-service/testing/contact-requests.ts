import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { type SignedInUser, useAdminService } from './admin-service.ts';

/** A service whose contact forms an ADMIN works on. The forms of other tests are deleted before each one. */
export const useRequests = () => {
  const service = useAdminService({ CONTACT_INBOX: 'inbox@example.com' });
  const administrator = () => service().administrator;
  const records = () => service().records;
  const list = (query = {}) => administrator().listContactRequests({ query });
  const submit = async (form: Record<string, string> = {}) => {
    const body = { email: uniqueEmail(), subject: 'Refund', message: 'Help', ...form };
    const response = await administrator().submitSupportRequest({ body });
    expect(response.status, response.text).to.equal(204);
    return (await list()).body.data[0] as { id: string; email: string; createdAt: string };
  };
  const submitLead = async (form: Record<string, string> = {}) => {
    const body = { name: 'Ada', email: uniqueEmail(), ...form };
    expect((await administrator().submitLeadRequest({ body })).status).to.equal(204);
    return (await list()).body.data[0] as { id: string; email: string };
  };
  const get = (id: string) => administrator().getContactRequest({ id });
  const edit = (id: string, body: object, client: SignedInUser = administrator()) =>
    client.send('PATCH', `/administrator/contact-requests/${id}`, body);
  const addNote = (id: string, text: string, client = administrator()) =>
    client.addContactRequestNote({ id, body: { text } });
  const reply = (id: string, text = 'Hello', client = administrator()) =>
    client.replyToContactRequest({ id, body: { text } });
  const findMails = (to: string) =>
    records().query<{ mail: Record<string, unknown>; user_id: string | null }>(
      `select mail, user_id from mail_outbox where mail ->> 'template' = 'contact-reply' and mail ->> 'to' = $1`,
      [to],
    );
  const changeEmail = (id: string, email = uniqueEmail()) =>
    records().query('update users set email = $2 where id = $1', [id, email]);
  const reference = ({ id, email }: SignedInUser) => ({ id, email, name: null });
  beforeEach('delete the forms of other tests', () =>
    records().query('with a as (delete from lead_requests) delete from support_requests'),
  );
  return {
    service,
    administrator,
    records,
    list,
    submit,
    submitLead,
    get,
    edit,
    addNote,
    reply,
    findMails,
    changeEmail,
    reference,
  };
};
