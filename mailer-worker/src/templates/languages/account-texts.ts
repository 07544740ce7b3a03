import type { GuessedSecret, MailOf, SecondFactorChange } from '@platform/shared/mail/mail';

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
  /** Whether only the support can help; its address follows the advice. */
  isForSupport?: true;
};

/** What a notice has beyond its time. */
type DetailedTexts = Pick<NoticeTexts, 'subject' | 'advice'> & {
  notice: (time: string, detail: string, product: string) => string;
};

type PlainNotice =
  | 'password-changed'
  | 'email-change-requested'
  | 'email-changed'
  | 'account-deleted'
  | 'wrong-factors'
  | 'setup-removed';

export type NoticeMail = MailOf<PlainNotice>;

/** All texts of the mails to users in one language. */
export type AccountTexts = {
  /** Of dates. */
  locale: string;
  /** Follows a time, which is in UTC. */
  timeZone: string;
  codes: Readonly<Record<'verification-code' | 'reset-password-code' | 'email-change-code', CodeTexts>>;
  /** Of all codes. */
  validity: (until: string) => string;
  notRequested: string;
  notices: Readonly<Record<PlainNotice, NoticeTexts>>;
  secondFactorChanges: Readonly<Record<SecondFactorChange, NoticeTexts>>;
  /** The time is the end of the pause. */
  guessingPaused: Readonly<Record<GuessedSecret, NoticeTexts>>;
  /** The detail is the IP address. */
  newDevice: DetailedTexts;
  /** The detail is the role. */
  platformRoleRemoved: DetailedTexts;
  emailChangeTaken: Pick<NoticeTexts, 'subject' | 'advice'> & { notice: (product: string) => string };
  /** @param support a URL or an e-mail address */
  support: (product: string, support: string) => string;
};
