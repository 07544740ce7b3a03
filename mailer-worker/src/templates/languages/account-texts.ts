import type {
  CodeMail,
  GuessedSecret,
  NoticeMail,
  SecondFactorChange,
} from '@platform/shared/platform/mail/mail';

type CodeTexts = {
  title: string;
  /** Starts with the code. It is the first line of the text, and the preview in the mail program's list. */
  summary: (code: string, product: string) => string;
  /** A sentence about an effect of the code that the title does not name. */
  effect?: (product: string) => string;
  /** Advice for a recipient who did not request the code, if it is not that of the other codes. */
  notRequested?: string;
};

export type NoticeTexts = {
  subject: string;
  /**
   * @param detail the role, the provider, the new administrator, or the kind of account
   */
  notice: (time: string, product: string, detail: string) => string;
  /** Advice for a recipient who did not make the change. */
  advice: (product: string) => string;
  /** Whether only the support can help; its address follows the advice. */
  isForSupport?: true;
};

/** The name of the template. Some templates have separate texts for each change, secret or actor. */
export type NoticeName =
  | Exclude<NoticeMail['template'], 'second-factor-changed' | 'guessing-paused' | 'new-device'>
  | SecondFactorChange
  | 'identity-unlinked-by-administrator'
  | `${GuessedSecret}-guessing-paused`;

/** The notices to people of the back office, which have a separate file for each language. */
export type RoleNotices = Pick<
  AccountTexts['notices'],
  Extract<NoticeName, `platform-role-${string}` | 'administrator-registered' | 'invitation-accepted'>
>;

/** All texts of the mails to users in one language. */
export type AccountTexts = {
  locale: string;
  /** The words after a time of day. @param zone the name of the time zone */
  afterTime: (zone: string) => string;
  codes: Readonly<Record<CodeMail['template'], CodeTexts>>;
  /** A browser and its operating system. */
  device: (browser: string, system: string) => string;
  codeSubject: (code: string) => string;
  enterCode: (product: string) => string;
  /** The time at which a code was requested; `from` or `bySupport` follows. */
  requested: (time: string) => string;
  from: (device: string) => string;
  bySupport: string;
  /** How long the code is valid, and how not to be tricked out of it. */
  validity: string;
  notRequested: string;
  /** Why the recipient gets the mail. */
  codeReason: (address: string, product: string) => string;
  accountReason: (product: string) => string;
  /** The label of the link that fills the code in. */
  openPage: string;
  notices: Readonly<Record<NoticeName, NoticeTexts>>;
  /** The labels of the buttons of notices. */
  check: Readonly<Record<'devices' | 'signing-in', string>>;
  signIn: string;
  /** The name of an account that has only a role in the back office. */
  administratorAccount: string;
  /** @param support an e-mail address */
  support: (product: string, support: string) => string;
};
