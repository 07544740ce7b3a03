import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

const setHelmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
});

/** Helmet sets the same headers on every response, so they are collected once, at start-up. */
const collectHeaders = (): Map<string, string> => {
  const headers = new Map<string, string>();
  const recorder = {
    // In lower case, Node does not have to convert the names for every response.
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  };
  setHelmetHeaders({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
};

const SECURITY_HEADERS = collectHeaders();

/** The policy suits JSON responses; upstream pages send their own Content-Security-Policy, which replaces this one. */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(SECURITY_HEADERS);
  next();
};
