import type { TestBenchOperations } from '../operations.ts';
import type { InboxMail } from './inbox-client.ts';
import type { MailService } from './mails-service.ts';

type Dependencies = {
  mails: MailService;
  /** @throws AppError 404 */
  getPerson: (id: string) => Promise<{ email: string }>;
};

/** Sorts before every id, for `after` as long as there is no mail. */
const BEFORE_ALL_MAILS = '0';

const toBody = ({ id, mail, to, from, sender, subject, text, html, code, link, date }: InboxMail) => ({
  ...{ id, mail, subject, text, html, code, link },
  to: to[0] ?? '',
  from: sender === null ? from : `${sender} <${from}>`,
  at: date ?? new Date(0).toISOString(),
});

export const mailRoutes = ({
  mails,
  getPerson,
}: Dependencies): Pick<TestBenchOperations, 'listMails' | 'setMailbox'> => ({
  listMails: async ({ query, signal }) => {
    const { label, to, mail, after, wait = 0 } = query;
    const found = await mails.list({ label, to, mail, after, wait }, signal);
    const next = found.at(-1)?.id ?? after ?? BEFORE_ALL_MAILS;
    return { status: 200, body: { data: found.map(toBody), next } };
  },
  setMailbox: async ({ path, body }) => {
    const { email } = await getPerson(path.id);
    await mails.setMailbox(email, body.answer, body.times);
    return { status: 204 };
  },
});
