import type { RequestHandler } from 'express';
import { stripQuery } from './upstreams.ts';

const FILES: Record<string, string> = {
  '/': 'index.html',
  '/development-page.css': 'development-page.css',
};

const POLICY = [
  "default-src 'none'; style-src 'self'; img-src data:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/**
 * Serves the page of the embedded stack at `/`, with links and demo accounts. `directory` contains its files.
 */
export const serveDevelopmentPage =
  (directory: string): RequestHandler =>
  (req, res, next) => {
    const name = FILES[stripQuery(req.url)];
    if (name === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' });
    // The data directory of the stack, `.data`, is a hidden folder.
    res.sendFile(name, { root: directory, dotfiles: 'allow', cacheControl: false }, (error) => {
      if (error && !res.headersSent) next(); // the folder was removed: 404
    });
  };
