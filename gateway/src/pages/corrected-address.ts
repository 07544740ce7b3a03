import type { RequestHandler } from 'express';
import { isUnambiguousPath } from '../upstreams.ts';

/** The path, the fragment behind an encoded `#`, and the query of an address below the pages. */
const PAGE_ADDRESS = /^\/+((?:console|account)(?:\/[^?]*?)?)(?:%23([^?]*))?(\?.*)?$/;

/** The addresses that end with a slash. */
const FOLDERS: ReadonlySet<string> = new Set([
  '/console/',
  '/account/',
  '/account/customer/',
  '/account/employee/',
]);

const removeSlashes = (path: string): string => {
  const single = path.replace(/\/{2,}/g, '/');
  return FOLDERS.has(single) ? single : single.replace(/\/$/, '');
};

/**
 * Redirects an address of a page that something has changed: filters of mails write `%23` for the `#` of a link,
 * and people type a slash too many. The location begins with the name of a page, so it never leads to another
 * host.
 */
export const correctPageAddress: RequestHandler = (req, res, next) => {
  const [, typedPath, fragment, query = ''] = PAGE_ADDRESS.exec(req.url) ?? [];
  if (typedPath === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
  const path = removeSlashes(`/${typedPath}`);
  const address = path + query;
  if (!isUnambiguousPath(path) || (fragment === undefined && address === req.url)) return next();
  res.set('Cache-Control', 'no-store');
  if (fragment === undefined) res.redirect(301, address);
  else res.redirect(302, `${address}#${fragment}`);
};
