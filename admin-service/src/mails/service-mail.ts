import { forbidden, tooManyRequests, validationFailed } from '@platform/shared/errors/app-error';
import { parseWebUrl } from '@platform/shared/network/web-url';
import type { ServiceMessage } from '@platform/shared/platform/mail/mail';

export type NewServiceMail = Pick<ServiceMessage, 'subject' | 'text' | 'action'> & { userId: string };

/** `failed` also if an ADMIN has deleted the mail before it was sent. */
type ServiceMailState = 'waiting' | 'sent' | 'failed';
export type ServiceMail = { id: string; state: ServiceMailState; createdAt: Date };

export const MAILS_PER_HOUR = 20;

export const recipientUnverified = () =>
  forbidden('EMAIL_NOT_VERIFIED', 'The address of the user is not verified');
export const tooManyMails = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many mails to this user; retry later.', retryAfterSeconds);

/**
 * Where the link of a mail may lead: otherwise a stolen secret would make a phishing mail. `platformOrigin` is that of
 * PUBLIC_URL.
 */
export type LinkTargets = {
  returnOrigins: readonly string[];
  platformOrigin: string | undefined;
  allowsLoopback: boolean;
};

const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * On the platform's own origin, a path of another service may redirect to any site, and a page takes codes and places
 * from its address. Servers may decode the path, ignore its case, and read several slashes as one.
 */
const isVouchedFor = ({ pathname, hash, searchParams }: URL): boolean => {
  try {
    const path = decodeURIComponent(pathname).replace(/[\\/]+/g, '/');
    if (/^\/(api|console)(\/|$)/i.test(path)) return false;
    return !/^\/account(\/|$)/i.test(path) || !(hash || searchParams.has('returnTo') || path.includes('#'));
  } catch {
    return false;
  }
};

const isAllowed = (url: URL, { returnOrigins, platformOrigin, allowsLoopback }: LinkTargets): boolean =>
  url.origin === platformOrigin
    ? isVouchedFor(url)
    : returnOrigins.includes(url.origin) || (allowsLoopback && LOOPBACK_HOSTS.includes(url.hostname));

/**
 * Returns the URL as browsers write it, so that no mail program can read another host in it.
 * @throws AppError 400
 */
export const toLinkUrl = (text: string, targets: LinkTargets): string => {
  const url = parseWebUrl(text);
  if (!url || !isAllowed(url, targets))
    throw validationFailed('The link of the mail leads elsewhere', [
      {
        path: '/body/action/url',
        message:
          'must be a URL of PUBLIC_URL or ACCOUNT_RETURN_ORIGINS without user information, and on the first no API, console or code',
        rule: 'link-origin',
      },
    ]);
  return url.href;
};
