import { createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { ask, isInteractive } from './terminal.ts';

/** Calls `request`, which sends a code to the address, and returns the code. */
export type ReadCode = (email: string, request: () => Promise<unknown>) => Promise<string>;

const MAIL_SECONDS = 30;

/** Returns an empty list for a notice, which contains no code. */
const findCode = (text: string): string[] => /^\d{6}\b/m.exec(text)?.slice(0, 1) ?? [];

type MailpitMail = { ID: string; To: { Address: string }[] };

/** Returns the mails, oldest first, or undefined if the URL is not Mailpit. */
const findMailpitMails = async (inboxUrl: string, email: string) => {
  const list = await fetch(`${inboxUrl}/api/v1/messages`);
  if (!list.ok) return undefined;
  const { messages } = (await list.json()) as { messages: MailpitMail[] };
  const own = messages.filter(({ To }) => To.some(({ Address }) => Address === email)).toReversed();
  const read = async ({ ID }: MailpitMail): Promise<string> => {
    const mail = await fetch(`${inboxUrl}/api/v1/message/${ID}`);
    return ((await mail.json()) as { Text: string }).Text;
  };
  return await Promise.all(own.map(read));
};

const readFromInbox = (inboxUrl: string): ReadCode => {
  const { mailsTo } = createInboxClient(inboxUrl);
  const listTexts = async (email: string) =>
    (await findMailpitMails(inboxUrl, email)) ?? (await mailsTo(email)).map(({ text }) => text);
  const listCodes = async (email: string) => (await listTexts(email)).flatMap(findCode);
  return async (email, request) => {
    const { length } = await listCodes(email);
    await request();
    return waitFor(
      `a mail with a code to ${email} in ${inboxUrl}`,
      async () => (await listCodes(email)).slice(length).at(-1),
      MAIL_SECONDS,
    );
  };
};

const readFromTerminal =
  (signal: AbortSignal): ReadCode =>
  async (email, request) => {
    await request();
    return ask(`The code in the mail to ${email}: `, { signal });
  };

/** Reads codes from the inbox, or else from the terminal. Undefined without either. */
export const createCodeSource = (inboxUrl: string | undefined, signal: AbortSignal): ReadCode | undefined => {
  if (inboxUrl !== undefined) return readFromInbox(inboxUrl);
  return isInteractive() ? readFromTerminal(signal) : undefined;
};
