/** SMTP commands whose rejection concerns the mail. Rejected logins, TLS or senders are configuration errors. */
const MAIL_COMMANDS: unknown[] = ['RCPT TO', 'DATA'];

const getField = (error: unknown, name: 'code' | 'command' | 'permanent'): unknown =>
  error instanceof Error ? (error as Error & Record<string, unknown>)[name] : undefined;

/** Whether a retry is useless: 5xx for the recipient or the content. */
export const isPermanent = (error: unknown): boolean =>
  getField(error, 'permanent') === true && MAIL_COMMANDS.includes(getField(error, 'command'));

/** Whether the next mail would fail too: no connection, no TLS, or a rejected login or sender. */
export const concernsAllMails = (error: unknown): boolean => {
  const code = getField(error, 'code');
  return code === 'EENVELOPE' ? getField(error, 'command') === 'MAIL FROM' : code !== 'EMESSAGE';
};

const ADDRESS = /[^\s"'<>();:,@]+@[^\s"'<>();,]+/g;

/** The response of a server often quotes the recipient, and BullMQ stores the reason of a failure. */
export const removeAddresses = (text: string): string => text.replace(ADDRESS, '…');
