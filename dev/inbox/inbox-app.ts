import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS_POLICY } from '@platform/shared/http/static-content';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { MailStore } from './mail-store.ts';

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

const listMails = (store: MailStore) => async (req: Request, res: Response) => {
  const { to, limit } = req.query;
  const selected = await store.list(typeof to === 'string' ? to : undefined);
  const version = `"${store.version()}"`;
  res.set('ETag', version);
  if (req.get('if-none-match') === version) return void res.status(304).end(); // not modified
  const count = typeof limit === 'string' && /^[1-9]\d{0,5}$/.test(limit) ? Number(limit) : selected.length;
  return void res.json(count < selected.length ? selected.slice(-count) : selected);
};

const notFound = (res: Response) => res.status(404).json({ message: 'Not found' });

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

const pageFiles = { '/': 'inbox.html', '/inbox.css': 'inbox.css', '/inbox.js': 'inbox.js' };

/** The web page at `/`, and the mails as JSON at `/api/email`. */
export const createInboxApp = (store: MailStore): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.get('/readyz', (_req, res) => void res.json({ status: 'ok' }));
  app.use(setHeaders);
  app.get('/api/email', listMails(store));
  app.get('/api/email/:id', showMail(store));
  app.get('/api/email/:id/html', showHtml(store));
  app.delete('/api/email/all', async (_req, res) => {
    await store.clear();
    res.status(204).end();
  });
  for (const [path, name] of Object.entries(pageFiles)) {
    const content = readFileSync(join(import.meta.dirname, 'page', name));
    app.get(path, (_req, res) => void res.type(name).send(content));
  }
  app.use((_req, res) => void notFound(res));
  return app;
};
