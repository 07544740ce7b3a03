import { waitFor } from './poll.ts';

/** A mail as the API of the development inbox returns it. */
type InboxMail = {
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string | null;
};

/** The six digits at the start of a code mail. */
export const codeIn = ({ text }: Pick<InboxMail, 'text'>): string => {
  const code = /^\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error(`There is no code in the mail:\n${text}`);
  return code;
};

/** A client of the development inbox. */
export const createInboxClient = (inboxUrl: string) => {
  /** Returns the mails, oldest first. */
  const mailsTo = async (address: string): Promise<InboxMail[]> => {
    const response = await fetch(`${inboxUrl}/api/email?to=${encodeURIComponent(address)}`);
    if (!response.ok) throw new Error(`The inbox returns ${response.status}`);
    return (await response.json()) as InboxMail[];
  };
  return {
    mailsTo,
    /** Waits until the address has this many mails whose subject contains the text. Returns the newest. */
    untilMail: (address: string, subject: string, count = 1, seconds = 10): Promise<InboxMail> =>
      waitFor(
        `${count} mails "${subject}" to ${address}`,
        async () => {
          const mails = (await mailsTo(address)).filter((mail) => mail.subject.includes(subject));
          return mails.length >= count && mails.at(-1);
        },
        seconds,
      ),
  };
};

export type InboxClient = ReturnType<typeof createInboxClient>;
