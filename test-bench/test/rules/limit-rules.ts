import { randomUUID } from 'node:crypto';
import { createNoticeLimit, findNoticeBudgets } from '@platform/mailer-worker/delivery/notice-limit';
import type { NoticeMail } from '@platform/shared/platform/mail/mail';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { keepRefreshed, openVerified } from './accounts.ts';
import { DAY, HOUR, type Prepared, type Rule, repeat, type World } from './rule.ts';
import { openAdministrator } from './token-rules.ts';

type Administrator = Awaited<ReturnType<typeof openAdministrator>>;
type BackOffice = ReturnType<World['admin']['withToken']>;

/** The ADMIN sends a request so often, and then, after another sign-in, once more. */
const repeatInBackOffice = async (
  { admin }: World,
  { id, device, signIn }: Administrator,
  times: number,
  send: (backOffice: BackOffice) => Promise<HttpResponse>,
): Promise<Prepared> => {
  await repeat(times, () => send(admin.withToken(device.accessToken)));
  return { id, ask: async () => send(admin.withToken((await signIn()).accessToken)) };
};

/** Rows, because sixty requests take a second. */
const insertFiftyNine = ({ auth }: World, table: string, values: Record<string, string>) => {
  const names = Object.keys(values);
  const parameters = names.map((_, index) => `$${index + 1}`);
  return auth.records.query(
    `insert into ${table} (text, ${names.join(', ')}) select 'A', ${parameters.join(', ')} from generate_series(1, 59)`,
    Object.values(values),
  );
};

/** The worker decides this when it sends the mail; the outcome says whether it does. */
const noticeRule = (
  name: string,
  times: number,
  limit: number,
  toMail: (to: string) => Pick<NoticeMail, 'template' | 'to'> & { isEmailVerified?: true },
): Rule => ({
  name,
  limit,
  prepare: async ({ auth, codeSecret }) => {
    const { id, email } = await auth.records.user(['CUSTOMER'], { isEmailVerified: true });
    const isSent = createNoticeLimit(auth.redis.client, { current: codeSecret, previous: [] });
    const budgets = findNoticeBudgets(toMail(email) as NoticeMail, id);
    const ask = async () => ((await isSent(randomUUID(), budgets)) ? 'sent' : 'not sent');
    await repeat(times, ask);
    return { id, ask };
  },
  before: 'not sent',
  after: 'sent',
});

export const LIMIT_RULES: Rule[] = [
  {
    name: 'changes of the password: ten an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const change = (refreshToken: string, number: number) =>
        client.resetPasswordMe({
          ...device,
          refreshToken,
          body: {
            currentPassword: number === 0 ? PASSWORD : `${PASSWORD} ${number}`,
            newPassword: `${PASSWORD} ${number + 1}`,
          },
        });
      await repeat(10, (number) => change(device.refreshToken, number));
      return { id, ask: () => change(device.refreshToken, 10) };
    },
    before: '429 RATE_LIMITED',
    after: '204',
  },
  {
    name: 'changes of the second factors: ten an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      await repeat(10, () => client.addPasskey(device));
      const refresh = keepRefreshed(client, device);
      const ask = async () =>
        client.secondFactorChange({
          ...(await refresh()),
          body: { isRequired: true, currentPassword: PASSWORD },
        });
      return { id, ask };
    },
    before: '429 RATE_LIMITED',
    after: '200',
  },
  {
    name: 'platform roles that an ADMIN gives: twenty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const administrator = await openAdministrator(world);
      const invite = (backOffice: BackOffice) =>
        backOffice.invite({ body: { email: uniqueEmail(), role: 'OPERATOR' } });
      return await repeatInBackOffice(world, administrator, 20, invite);
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'notes about a user: sixty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { id } = await world.auth.records.user(['CUSTOMER']);
      const administrator = await openAdministrator(world);
      await insertFiftyNine(world, 'user_notes', { user_id: id, author_id: administrator.id });
      const add = (backOffice: BackOffice) => backOffice.addUserNote({ id, body: { text: 'Called back' } });
      return { ...(await repeatInBackOffice(world, administrator, 1, add)), id };
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'notes about a contact form: sixty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { id } = await world.auth.records.user(['CUSTOMER']);
      const form = await world.auth.records.contactRequest();
      await world.auth.records.query('update lead_requests set user_id = $1 where id = $2', [id, form]);
      const administrator = await openAdministrator(world);
      await insertFiftyNine(world, 'contact_entries', {
        kind: 'note',
        lead_request_id: form,
        author_id: administrator.id,
      });
      const add = (backOffice: BackOffice) =>
        backOffice.addContactRequestNote({ id: form, body: { text: 'Called back' } });
      return { ...(await repeatInBackOffice(world, administrator, 1, add)), id };
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'replies of an ADMIN: sixty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const administrator = await openAdministrator(world);
      const form = await world.auth.records.contactRequest();
      await insertFiftyNine(world, 'contact_entries', {
        kind: 'reply',
        lead_request_id: form,
        author_id: administrator.id,
      });
      const reply = (backOffice: BackOffice) =>
        backOffice.replyToContactRequest({ id: form, body: { text: 'Thank you' } });
      return await repeatInBackOffice(world, administrator, 1, reply);
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'mails of another service to a user: twenty an hour',
    limit: HOUR,
    prepare: async ({ admin, auth }) => {
      const { id } = await auth.records.user(['CUSTOMER'], { isEmailVerified: true });
      const body = { userId: id, subject: 'A bid', text: 'A team has made a bid.' };
      const ask = () => createServiceClient(admin.url).putMail({ id: randomUUID(), body });
      await repeat(20, ask);
      return { id, ask };
    },
    before: '429 RATE_LIMITED',
    after: '202',
  },
  noticeRule('notices of an account: ten an hour', 10, HOUR, (to) => ({
    template: 'new-device',
    to,
    isEmailVerified: true,
  })),
  noticeRule('notices of the kind of an account: one a day', 1, DAY, (to) => ({
    template: 'wrong-kind',
    to,
  })),
];
