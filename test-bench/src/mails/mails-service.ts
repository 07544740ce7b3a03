import { validationFailed } from '@platform/shared/errors/app-error';
import type { InboxClient, InboxFilter, InboxMail, MailServerResponse } from './inbox-client.ts';

type Dependencies = {
  inbox: InboxClient;
  /** The labels of the accounts with these addresses, by address in lower case. */
  findLabels: (emails: string[]) => Promise<Map<string, string>>;
};

type Search = InboxFilter & { label?: string | undefined; wait: number };

export const createMailService = ({ inbox, findLabels }: Dependencies) => {
  /** An account may be made while somebody waits for its first mail, so each mail is judged when it arrives. */
  const listOfLabel = async (
    { label, wait, ...filter }: Search,
    signal: AbortSignal,
  ): Promise<InboxMail[]> => {
    const deadline = Date.now() + wait * 1_000;
    let { after } = filter;
    for (;;) {
      const left = Math.max(0, Math.ceil((deadline - Date.now()) / 1_000));
      const recipients = await inbox.listRecipients({ ...filter, after }, left, signal);
      const toEmail = ({ to }: Pick<InboxMail, 'to'>) => to[0]?.toLowerCase() ?? '';
      const labels = await findLabels([...new Set(recipients.map(toEmail))]);
      const ids = recipients.filter((mail) => labels.get(toEmail(mail)) === label).map(({ id }) => id);
      const last = recipients.at(-1);
      if (ids.length > 0 || last === undefined || left === 0) {
        const mails = await Promise.all(ids.map(inbox.find));
        return mails.filter((mail) => mail !== undefined);
      }
      after = last.id;
    }
  };

  return {
    /**
     * The mails to the people of a label, or to an address, oldest first. Waits until there is one.
     * @throws AppError 400 if not exactly one of both is given
     */
    list: async (search: Search, signal: AbortSignal): Promise<InboxMail[]> => {
      const { label, wait, ...filter } = search;
      if ((label === undefined) === (filter.to === undefined))
        throw validationFailed('Send either label or to', [
          { path: '/query/label', message: 'must be sent, unless `to` is', rule: 'required' },
        ]);
      return label === undefined ? await inbox.list(filter, wait, signal) : await listOfLabel(search, signal);
    },
    /** Lets the mail server respond so to the next `times` mails to the address. */
    setMailbox: (email: string, answer: MailServerResponse, times: number): Promise<void> =>
      inbox.setMailbox(email, answer, times),
    /** Deletes the mails to these addresses, and lets their mailboxes accept mails again. */
    remove: async (emails: readonly string[]): Promise<void> => {
      for (const email of emails) {
        await inbox.setMailbox(email, { code: 250, text: 'OK' }, 0);
        await inbox.remove(email);
      }
    },
  };
};

export type MailService = ReturnType<typeof createMailService>;
