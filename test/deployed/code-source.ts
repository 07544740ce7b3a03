import { codeIn, createInboxClient, type InboxMail } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { ask, isInteractive } from './terminal.ts';

/** Calls `request`, which sends a code to the address, and returns the code; undefined if nobody can read the mail. */
export type ReadCode = (email: string, request: () => Promise<boolean>) => Promise<string | undefined>;

const MAIL_SECONDS = 30;

const findCode = (mail: InboxMail): string[] => {
  try {
    return [codeIn(mail)];
  } catch {
    // A notice, which has no code.
    return [];
  }
};

const readFromInbox = (inboxUrl: string): ReadCode => {
  const { mailsTo } = createInboxClient(inboxUrl);
  const listCodes = async (email: string) => (await mailsTo(email)).flatMap(findCode);
  return async (email, request) => {
    const { length } = await listCodes(email);
    if (!(await request())) return undefined;
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
    if (!(await request())) return undefined;
    return ask(`The code in the mail to ${email}: `, { signal });
  };

/** The inbox, else the terminal; undefined without either. */
export const createCodeSource = (inboxUrl: string | undefined, signal: AbortSignal): ReadCode | undefined => {
  if (inboxUrl !== undefined) return readFromInbox(inboxUrl);
  return isInteractive() ? readFromTerminal(signal) : undefined;
};
