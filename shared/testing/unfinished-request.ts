import { type IncomingMessage, request } from 'node:http';

type Head = { method: string; path: string; headers: Record<string, string> };

/** Sends the head of a request, and its body only when the test says so. */
export const sendHead = (url: string, { method, path, headers }: Head, body: string) => {
  const { promise: status, resolve, reject } = Promise.withResolvers<number | undefined>();
  const length = { 'Content-Length': Buffer.byteLength(body) };
  const sent = request(url + path, { method, headers: { ...headers, ...length }, agent: false });
  sent.on('response', (response: IncomingMessage) => {
    response.resume();
    resolve(response.statusCode);
  });
  sent.on('error', reject);
  sent.flushHeaders();
  return {
    /** Resolves with the status of the response. */
    finish: () => {
      sent.end(body);
      return status;
    },
  };
};
