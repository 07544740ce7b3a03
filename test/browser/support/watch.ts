import type { BrowserContext, ConsoleMessage } from 'playwright-core';

const LOOPBACK = new Set(['127.0.0.1', 'localhost']);
const isForeign = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol.startsWith('http') && !LOOPBACK.has(hostname);
};

const describe = (message: ConsoleMessage): string => `${message.text()} (${message.location().url})`;

/** Takes down whatever a person would not want to see in the browser's console, and requests that leave this machine. */
export const watch = (context: BrowserContext) => {
  const seen: string[] = [];
  const expected: RegExp[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.push(describe(message));
  });
  context.on('weberror', (error) => seen.push(String(error.error())));
  context.on('request', (request) => {
    if (isForeign(request.url())) seen.push(`asked a foreign host: ${request.url()}`);
  });
  return {
    expect: (...complaints: RegExp[]) => {
      expected.push(...complaints);
    },
    complaints: () => seen.filter((complaint) => !expected.some((pattern) => pattern.test(complaint))),
  };
};
