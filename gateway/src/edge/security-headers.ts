import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
});

/** Helmet's headers are the same for every answer, so it is asked once. */
const collectHeaders = (): Map<string, string> => {
  const headers = new Map<string, string>();
  const recorder = {
    // Node keeps a header by its name in lower case, and makes that of any other name for every answer.
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  };
  protect({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
};

const HEADERS = collectHeaders();

/** For answers that are data; a page that an upstream serves brings a policy of its own, which replaces this one. */
export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(HEADERS);
  next();
};
