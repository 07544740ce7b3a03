import type { BrowserContext, ConsoleMessage } from 'playwright-core';

const LOOPBACK = new Set(['127.0.0.1', 'localhost']);
const isOtherHost = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  // Chromium finds names below `test` on this machine.
  return protocol.startsWith('http') && !LOOPBACK.has(hostname) && !hostname.endsWith('.test');
};

const format = (message: ConsoleMessage): string => `${message.text()} (${message.location().url})`;

/** Collects console errors and warnings, uncaught errors, and requests to other hosts. */
export const watchConsoleErrors = (context: BrowserContext) => {
  const errors: string[] = [];
  const allowed: RegExp[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(format(message));
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('request', (request) => {
    if (isOtherHost(request.url())) errors.push(`request to another host: ${request.url()}`);
  });
  return {
    allow: (...patterns: RegExp[]) => {
      allowed.push(...patterns);
    },
    unexpected: () => errors.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
};
