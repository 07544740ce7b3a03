import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageName } from '@platform/shared/config/pages';
import { escapeHtml } from '@platform/shared/http/escape-html';
import type { StackConfig } from '../config.ts';
import { listPages } from '../pages.ts';
import { type DemoAccount, demoAccounts, toOtpauthUrl } from '../seed/demo-people.ts';

export type OptionalUrls = {
  /** Null if mails go to an external server. */
  inboxUrl: string | null;
  /** Null without the provider `company`. */
  oidcIssuer: string | null;
};

type StartPage = OptionalUrls & {
  /** The pages that the gateway serves. */
  pages: readonly PageName[];
  /** Whether the stack inserts the demo data. */
  hasDemoAccounts: boolean;
  /** Undefined if SEED_PASSWORD is set, because only the person who set it knows it. */
  demoPassword: string | undefined;
};

const FILES = import.meta.dirname;

const renderInbox = (inboxUrl: string | null): string =>
  inboxUrl === null
    ? 'Inbox <span>none: mails, with the e-mail codes, go to the server of <code>SMTP_URL</code></span>'
    : `<a href="${escapeHtml(inboxUrl)}">Inbox</a> <span>every mail that the platform sends, with the e-mail codes</span>`;

const renderProvider = (oidcIssuer: string | null): string =>
  oidcIssuer === null
    ? 'OpenID provider <span>none: <code>OIDC_PROVIDERS</code> names others</span>'
    : `<a href="${escapeHtml(oidcIssuer)}">OpenID provider</a>
        <span><code>company</code>: signs in the demo accounts without a password</span>`;

const renderAccount = ({ email, role, totpSecret }: DemoAccount): string => {
  const secondFactor =
    totpSecret === undefined
      ? ''
      : ` with a second factor: add <a href="${escapeHtml(toOtpauthUrl(email, totpSecret))}">its key</a>,
        <code>${totpSecret}</code>, to an authenticator app, or run <code>oathtool --totp --base32 ${totpSecret}</code>`;
  return `<li><code>${escapeHtml(email)}</code> <span>${role}${secondFactor}</span></li>`;
};

const renderAccounts = ({ hasDemoAccounts, demoPassword }: StartPage): string => {
  if (!hasDemoAccounts) return '';
  const password =
    demoPassword === undefined
      ? 'that of <code>SEED_PASSWORD</code>'
      : `<code>${escapeHtml(demoPassword)}</code>`;
  return `<h2>Demo accounts</h2>
      <p>Their password is ${password}, unless it was changed since the first start.</p>
      <ul>${demoAccounts.map(renderAccount).join('')}</ul>`;
};

const PAGES = {
  console:
    '<li><a href="/console/">Console</a> <span>the back office: sign in as <code>admin@example.com</code></span></li>',
  account: `<li><a href="/account/">Account pages</a>
        <span>sign-up, sign-in and the own account: sign in as <code>customer@example.com</code></span></li>`,
};

/** Returns the HTML of the page. */
const renderStartPage = (page: StartPage): string => {
  const parts: Record<string, string> = {
    pages: page.pages.map((name) => PAGES[name]).join('\n        '),
    inbox: renderInbox(page.inboxUrl),
    provider: renderProvider(page.oidcIssuer),
    accounts: renderAccounts(page),
  };
  return readFileSync(join(FILES, 'index.html'), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (_placeholder, name: string) => parts[name] ?? '',
  );
};

/** With `NODE_ENV=production npm start`, the gateway is configured as in production and has no page. */
export const hasStartPage = ({ env }: Pick<StackConfig, 'env'>): boolean => env.NODE_ENV !== 'production';

/** Writes the page, which the gateway serves at `/`, into the data directory; returns its folder. */
export const writeStartPage = ({ dataDir, seed, env }: StackConfig, urls: OptionalUrls): string => {
  const directory = join(dataDir, 'start-page');
  const html = renderStartPage({
    ...urls,
    pages: listPages({ env }),
    hasDemoAccounts: seed.enabled,
    demoPassword: env.SEED_PASSWORD ? undefined : seed.password,
  });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.html'), html);
  const style = 'development-page.css';
  copyFileSync(join(FILES, style), join(directory, style));
  return directory;
};
