import { unavailable } from '@platform/shared/errors/app-error';

/** A mail as the inbox of the stack gives it. */
export type InboxMail = {
  id: string;
  to: string[];
  from: string;
  sender: string | null;
  mail: string | null;
  code: string | null;
  link: string | null;
  subject: string;
  text: string;
  html: string;
  date: string | null;
};

/** `to`: an address; `mail`: the name of a mail; `after`: the id of an earlier mail. */
export type InboxFilter = { to?: string | undefined; mail?: string | undefined; after?: string | undefined };

export type MailServerResponse = { code: number; text: string };

const toQuery = (filter: Record<string, string | number | undefined>): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};

/** Calls the inbox of the stack. @throws AppError 503 if it does not respond */
export const createInboxClient = (inboxUrl: string) => {
  const call = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${inboxUrl}/api/${path}`, options).catch((error: unknown) => {
      throw unavailable('The inbox does not respond; retry later.', error);
    });
    if (response.ok || response.status === 404) return response;
    throw new Error(`The inbox responds with ${response.status} to ${path}`);
  };
  return {
    /** Waits for the first mail that matches, for `wait` seconds at most. Oldest first. */
    list: async (filter: InboxFilter, wait: number, signal: AbortSignal): Promise<InboxMail[]> =>
      (await (await call(`email?${toQuery({ ...filter, wait })}`, { signal })).json()) as InboxMail[],
    /** The same without texts. */
    listRecipients: async (
      filter: InboxFilter,
      wait: number,
      signal: AbortSignal,
    ): Promise<Pick<InboxMail, 'id' | 'to'>[]> => {
      const query = toQuery({ ...filter, wait, fields: 'to' });
      return (await (await call(`email?${query}`, { signal })).json()) as InboxMail[];
    },
    /** Undefined if the mail was deleted. */
    find: async (id: string): Promise<InboxMail | undefined> => {
      const response = await call(`email/${id}`);
      return response.ok ? ((await response.json()) as InboxMail) : undefined;
    },
    remove: async (to: string): Promise<void> => {
      await call(`email?${toQuery({ to })}`, { method: 'DELETE' });
    },
    /** Lets the mail server respond so to the next `times` mails to the address. */
    setMailbox: async (address: string, answer: MailServerResponse, times: number): Promise<void> => {
      await call(`mailbox/${encodeURIComponent(address)}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...answer, times }),
      });
    },
  };
};

export type InboxClient = ReturnType<typeof createInboxClient>;
