import type { SecondFactorChange } from '@platform/shared/mail/mail';

type CodeTexts = {
  subject: string;
  /** Starts with the code: the first line of the text, and what a mail program displays in its list of mails. */
  summary: (code: string, product: string) => string;
  instruction: (product: string) => string;
};

export type NoticeTexts = {
  subject: string;
  notice: (time: string, product: string) => string;
  /** What to do if it was not the reader. */
  advice: (product: string) => string;
};

/** All texts of the mails to users in one language. Times are in UTC. */
export type AccountTexts = {
  codes: Readonly<Record<'verification-code' | 'reset-password-code' | 'email-change-code', CodeTexts>>;
  /** Of all codes. */
  validity: (until: string) => string;
  notRequested: string;
  notices: Readonly<
    Record<'password-changed' | 'email-change-requested' | 'email-changed' | 'account-deleted', NoticeTexts>
  >;
  secondFactorChanges: Readonly<Record<SecondFactorChange, NoticeTexts>>;
  newDevice: Pick<NoticeTexts, 'subject' | 'advice'> & {
    notice: (time: string, address: string, product: string) => string;
  };
  emailChangeTaken: Pick<NoticeTexts, 'subject' | 'advice'> & { notice: (product: string) => string };
};
