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
   * @param detail the IP address of a new device, the role, the provider, or the new administrator
   * @param device the browser and system of a new device; empty if they are unknown
   */
  notice: (time: string, product: string, detail: string, device: string) => string;
  /** Advice for a recipient who did not make the change. */
  advice: (product: string) => string;
  /** Whether only the support can help; its address follows the advice. */
  isForSupport?: true;
};

/** The name of the template. Two templates have separate texts for each change or secret. */
export type NoticeName =
  | Exclude<NoticeMail['template'], 'second-factor-changed' | 'guessing-paused'>
  | SecondFactorChange
  | `${GuessedSecret}-guessing-paused`;

/** In a separate file for each language, because they are for the people of the back office. */
export type RoleNotices = Pick<
  AccountTexts['notices'],
  Extract<NoticeName, `platform-role-${string}` | 'administrator-registered' | 'invitation-accepted'>
>;

/** All texts of the mails to users in one language. */
export type AccountTexts = {
  locale: string;
  /** Follows a time in UTC. */
  timeZone: string;
  codes: Readonly<Record<CodeMail['template'], CodeTexts>>;
  /** A browser and its operating system. */
  device: (browser: string, system: string) => string;
  codeSubject: (code: string) => string;
  enterCode: (product: string) => string;
  /** How long the code is valid, and how not to be tricked out of it. */
  validity: string;
  notRequested: string;
  /** Why the recipient gets the mail. */
  codeReason: (address: string, product: string) => string;
  accountReason: (product: string) => string;
  notices: Readonly<Record<NoticeName, NoticeTexts>>;
  /** @param support an e-mail address */
  support: (product: string, support: string) => string;
};
