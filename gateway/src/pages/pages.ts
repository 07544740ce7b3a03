import { PAGE_NAMES, type PageName } from '@platform/shared/config/pages';
import type { AppError } from '@platform/shared/errors/app-error';
import { sendErrorBody } from '@platform/shared/http/error-responses';
import type { Request, RequestHandler, Response } from 'express';
import { requireMethod } from '../required-method.ts';
import { isWithin, stripQuery } from '../upstreams.ts';
import { renderErrorPage } from './error-page.ts';
import { toInitial } from './icons.ts';
import { findBuiltPages, readPageFiles, readStylesheets } from './page-files.ts';
import type { PageSettings } from './page-settings.ts';
import { createSettingsFiles } from './settings-files.ts';

/**
 * Everything comes from this origin, and nothing is inline. The one policy of Trusted Types is for the address
 * of a worker.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'font-src', 'worker-src', 'connect-src'].map(
    (directive) => `${directive} 'self'`,
  ),
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types platform',
].join('; ');

const HEADERS = new Map([
  ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
]);

const redirectTo =
  (status: number, location: string): RequestHandler =>
  (req, res) => {
    const query = req.url.slice(stripQuery(req.url).length);
    res.set('Cache-Control', 'no-cache').redirect(status, location + query);
  };

/** https://w3c.github.io/webappsec-change-password-url/ */
const CHANGE_PASSWORD = '/.well-known/change-password';

const createRedirects = (names: readonly PageName[]): Map<string, RequestHandler> => {
  const redirects = new Map(names.map((name) => [`/${name}`, redirectTo(301, `/${name}/`)]));
  if (names.includes('account')) redirects.set(CHANGE_PASSWORD, redirectTo(302, '/account/change-password'));
  return redirects;
};

/**
 * Matches the addresses that a page shows itself: the last segment has no dot, so it names no file, and no
 * slash follows it. OWN_ACCOUNT has the exceptions that end with a slash.
 */
const DEEP_LINK = /^\/(console|account)\/(?:(?:[^/]+\/)*[^/.]+)?$/;
const OWN_ACCOUNT = /^\/(account)\/(?:customer|employee)\/$/;

/** Comes before the kill switch of paths: the page that says that a part is switched off needs them. */
const serveStylesheets =
  (serve: RequestHandler): RequestHandler =>
  (req, res, next) => {
    if (req.url.endsWith('.css')) serve(req, res, next);
    else next();
  };

/** Sends an error below the pages as a page to people, and as JSON to programs. */
const createErrorSender = (settings: PageSettings, names: readonly PageName[]) => {
  const { productName } = settings;
  const skeletons = PAGE_NAMES.map((name) => ({
    start: `/${name}/`,
    stylesheets: names.includes(name) ? readStylesheets(settings, name) : '',
    productName,
    productInitial: toInitial(productName),
  }));
  return (error: AppError, req: Request, res: Response): void => {
    const path = stripQuery(req.url);
    const skeleton = skeletons.find(({ start }) => isWithin(path, start.slice(0, -1)));
    if (skeleton) res.vary('Accept').vary('Accept-Language');
    if (!skeleton || req.accepts(['json', 'html']) !== 'html') return void sendErrorBody(error, req, res);
    res.setHeaders(HEADERS).set('Cache-Control', 'no-store');
    res.type('html').send(renderErrorPage(skeleton, error, req));
  };
};

/**
 * Serves the console and the account pages with their files, as express.static does: only what was built, with
 * ETags, and index.html for the addresses within a page.
 * @throws ConfigError
 */
export const servePages = (settings: PageSettings) => {
  const names = findBuiltPages(settings);
  const files = new Map([...readPageFiles(settings, names), ...createSettingsFiles({ ...settings, names })]);
  const redirects = createRedirects(names);
  const findFile = (path: string): RequestHandler | undefined => {
    const [, name] = DEEP_LINK.exec(path) ?? OWN_ACCOUNT.exec(path) ?? [];
    return files.get(name === undefined ? path : `/${name}/index.html`);
  };
  const serve: RequestHandler = (req, res, next) => {
    const path = stripQuery(req.url);
    const send = redirects.get(path) ?? findFile(path);
    if (send === undefined) return next();
    requireMethod(req.method, 'GET', 'HEAD');
    res.setHeaders(HEADERS);
    send(req, res, next);
  };
  return { serve, serveStylesheets: serveStylesheets(serve), sendError: createErrorSender(settings, names) };
};

export type Pages = ReturnType<typeof servePages>;
