import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS_POLICY } from '@platform/shared/http/static-content';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Mail } from './mail.ts';
import type { MailFilter, MailStore } from './mail-store.ts';
import type { Mailboxes } from './mailboxes.ts';

const pagePolicy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** The HTML of a mail runs no scripts and loads nothing. Its links open in a new tab. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; " +
  'sandbox allow-popups allow-popups-to-escape-sandbox';

const setHeaders = (_req: Request, res: Response, next: NextFunction): void => {
  res.set({
    'Content-Security-Policy': pagePolicy,
    'Permissions-Policy': PERMISSIONS_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  });
  next();
};

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const toFilter = ({ to, mail, after }: Request['query']): MailFilter => ({
  to: toText(to),
  mail: toText(mail),
  after: toText(after),
});

const maxWaitSeconds = 30;

/** Waits until there is a mail that matches, for `seconds` at most, or until the client disconnects. */
const waitForMails = async (
  store: MailStore,
  filter: MailFilter,
  seconds: number,
  res: Response,
): Promise<Mail[]> => {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(seconds * 1000)]);
  for (;;) {
    const changed = store.untilChanged(signal);
    const mails = await store.list(filter);
    if (mails.length > 0 || signal.aborted) return mails;
    await changed;
  }
};

const badRequest = (res: Response, message: string) => res.status(400).json({ message });
const notFound = (res: Response) => res.status(404).json({ message: 'Not found' });

const listMails = (store: MailStore) => async (req: Request, res: Response) => {
  const limit = toText(req.query['limit']) ?? '999999';
  if (!/^[1-9]\d{0,5}$/.test(limit)) return void badRequest(res, '`limit` is a number from 1');
  const wait = toText(req.query['wait']) ?? '0';
  if (!/^\d{1,2}$/.test(wait) || Number(wait) > maxWaitSeconds)
    return void badRequest(res, `\`wait\` is a number of seconds from 0 to ${maxWaitSeconds}`);
  const version = `"${store.version()}"`;
  res.set('ETag', version);
  if (req.get('if-none-match') === version) return void res.status(304).end(); // not modified
  const selected = await waitForMails(store, toFilter(req.query), Number(wait), res);
  const mails = selected.slice(-Number(limit));
  const body = req.query.fields === 'to' ? mails.map(({ id, to }) => ({ id, to })) : mails;
  return void res.set('ETag', `"${store.version()}"`).json(body);
};

const showMail = (store: MailStore) => async (req: Request<{ id: string }>, res: Response) => {
  const mail = await store.find(req.params.id);
  return void (mail ? res.json(mail) : notFound(res));
};

const showHtml = (store: MailStore) => async (req: Request<{ id: string }>, res: Response) => {
  const mail = await store.find(req.params.id);
  if (!mail) return void notFound(res);
  return void res
    .set('Content-Security-Policy', mailPolicy)
    .type('html')
    .send(`<!doctype html><meta charset="utf-8"><base target="_blank">${mail.html}`);
};

/** The SMTP response to the next mails to an address, of which 0 end it. */
const setMailbox = (mailboxes: Mailboxes) => (req: Request<{ address: string }>, res: Response) => {
  const { code, text, times } = req.body ?? {};
  if (![code, times].every(Number.isInteger) || typeof text !== 'string' || code < 200 || code > 599)
    return void badRequest(res, 'Send an object with the numbers `code` and `times`, and `text`');
  mailboxes.set(req.params.address, { code, text, times });
  return void res.status(204).end();
};

const pageFiles = { '/': 'inbox.html', '/inbox.css': 'inbox.css', '/inbox.js': 'inbox.js' };

/** The web page at `/`, the mails as JSON at `/api/email`, and mailboxes that reject mails at `/api/mailbox`. */
export const createInboxApp = (store: MailStore, mailboxes: Mailboxes): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.get('/readyz', (_req, res) => void res.json({ status: 'ok' }));
  app.use(setHeaders);
  app.get('/api/email', listMails(store));
  app.get('/api/email/:id', showMail(store));
  app.get('/api/email/:id/html', showHtml(store));
  app.delete('/api/email/all', async (_req, res) => {
    await store.remove();
    res.status(204).end();
  });
  app.delete('/api/email', async (req, res) => {
    const { to } = toFilter(req.query);
    if (to === undefined) return void badRequest(res, 'Name the address: /api/email?to=ada@example.com');
    await store.remove({ to });
    res.status(204).end();
  });
  app.put('/api/mailbox/:address', express.json(), setMailbox(mailboxes));
  for (const [path, name] of Object.entries(pageFiles)) {
    const content = readFileSync(join(import.meta.dirname, 'page', name));
    app.get(path, (_req, res) => void res.type(name).send(content));
  }
  app.use((_req, res) => void notFound(res));
  return app;
};
