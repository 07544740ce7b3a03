import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** For JSON responses; upstream pages send their own Content-Security-Policy, which replaces this one. */
export const SECURITY_HEADERS: Map<string, string> = collectHeaders();
