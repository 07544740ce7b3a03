import { toTemplateLabel } from '@platform/shared/platform/mail/mail';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { ShownMail } from './mail.ts';
import type { MailsOfUserService } from './mails-of-user-service.ts';
import type { MailService } from './mails-service.ts';

const toMailBody = ({ template, ...mail }: ShownMail) => ({ ...mail, mail: toTemplateLabel(template) });

export const mailRoutes = (
  mails: MailService,
  mailsOfUser: MailsOfUserService,
): Pick<AdminOperations, 'listMails' | 'listMailsOfUser' | 'retryMail' | 'deleteMail'> => ({
  listMails: async ({ query }) => {
    const { data, ...page } = await mails.listMails(query);
    return { status: 200, body: { data: data.map(toMailBody), ...page } };
  },

  listMailsOfUser: async ({ path, query }) => ({ status: 200, body: await mailsOfUser.list(path.id, query) }),

  retryMail: async ({ path, caller, context }) => {
    await mails.retryMail(path.id, toBy(caller, context));
    return { status: 204 };
  },

  deleteMail: async ({ path, caller, context }) => {
    await mails.deleteMail(path.id, toBy(caller, context));
    return { status: 204 };
  },
});
