/** The SMTP response to the next `times` mails to an address. */
type MailboxRejection = { code: number; text: string; times: number };

/** Mailboxes that reject mails. All others accept them. */
export const createMailboxes = () => {
  const rejections = new Map<string, MailboxRejection>();
  return {
    /** Replaces what was set before. 0 times ends it. */
    set: (address: string, rejection: MailboxRejection): void => {
      if (rejection.times > 0) rejections.set(address.toLowerCase(), rejection);
      else rejections.delete(address.toLowerCase());
    },
    /** The rejection of the next mail, which counts. Undefined if the mailbox accepts it. */
    take: (address: string): MailboxRejection | undefined => {
      const key = address.toLowerCase();
      const rejection = rejections.get(key);
      if (rejection === undefined) return undefined;
      const times = rejection.times - 1;
      if (times > 0) rejections.set(key, { ...rejection, times });
      else rejections.delete(key);
      return rejection;
    },
  };
};

export type Mailboxes = ReturnType<typeof createMailboxes>;
