type Mail = { id: string; to: string[]; text: string; messageId: string | null };

/** A mail that the inbox holds, by what it can be told by: the marker of a contact form, else its recipient. */
export type ArrivedMail = { key: string; messageId: string; at: number };

const MARKER = /form-[0-9a-f-]{36}/;

/** The inbox names a mail by the microsecond of its arrival. */
const arrivalOf = ({ id }: Mail): number => Number(id.split('-', 1)[0]) / 1_000;

/** What the inbox holds now, oldest first; `newest` leaves out all but so many. */
export const readInbox = async (inboxUrl: string, newest = 100_000): Promise<ArrivedMail[]> => {
  const answer = await fetch(`${inboxUrl}/api/email?limit=${newest}`, {
    signal: AbortSignal.timeout(10_000),
  });
  const mails = (await answer.json()) as Mail[];
  return mails.map((mail) => ({
    key: MARKER.exec(mail.text)?.[0] ?? mail.to[0] ?? '',
    messageId: mail.messageId ?? '',
    at: arrivalOf(mail),
  }));
};
