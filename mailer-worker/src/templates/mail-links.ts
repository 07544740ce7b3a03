import type { CodeMail } from '@platform/shared/platform/mail/mail';

/** The addresses of the pages, without a slash at the end; undefined where the gateway does not serve them. */
export type MailPages = { accountUrl?: string | undefined; consoleUrl?: string | undefined };

/** The pages that take a code out of their address. That of a new device belongs to the tab that waits for it. */
const CODE_PAGES: Partial<Record<CodeMail['template'], string>> = {
  'verification-code': 'verify',
  'reset-password-code': 'reset-password',
  'sign-in-code': 'sign-in',
};

/**
 * Browsers do not send what follows the #, so no server, proxy or scanner of mails sees the code, and the page
 * sends it only when the reader presses its button. `returnTo` is where the page leads afterwards.
 */
export const findCodeUrl = ({ template, to, kind, code, returnTo }: CodeMail, { accountUrl }: MailPages) => {
  const page = CODE_PAGES[template];
  if (accountUrl === undefined || page === undefined || kind === null || kind === 'administrator')
    return undefined;
  const parameters = new URLSearchParams({ code, email: to, ...(returnTo && { returnTo }) });
  return `${accountUrl}/${kind}/${page}#${parameters}`;
};

/** Undefined if the roles of the reader are unknown, or no page is served for them. */
export const findAccountUrl = (roles: readonly string[], { accountUrl, consoleUrl }: MailPages) => {
  const kinds = ['CUSTOMER', 'EMPLOYEE'].filter((role) => roles.includes(role));
  if (consoleUrl !== undefined && roles.length > kinds.length) return `${consoleUrl}/your-account`;
  if (accountUrl === undefined || kinds.length === 0) return undefined;
  // The page asks a user of both kinds which one to open.
  return kinds.length === 1 ? `${accountUrl}/${kinds[0]?.toLowerCase()}/` : `${accountUrl}/`;
};
