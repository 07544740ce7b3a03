import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { Request } from './load.ts';

type ReceivedResponse = {
  status: number;
  setCookies: string[];
  /** 0 without `Retry-After`. */
  retryAfterSeconds: number;
  body: string;
};
export type Send = (request: Request) => Promise<ReceivedResponse>;

const readResponse = async (incoming: IncomingMessage): Promise<ReceivedResponse> => {
  let body = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) body += chunk;
  const { statusCode: status = 0, headers } = incoming;
  const retryAfterSeconds = Number(headers['retry-after'] ?? 0);
  return { status, setCookies: headers['set-cookie'] ?? [], retryAfterSeconds, body };
};

/** Sends over at most this many connections, which it reuses. */
export const createSender = (url: string, connections: number): Send => {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return ({ method, path, headers, body }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = send({ agent, hostname, port, method, path, headers: { ...headers, ...length } });
    outgoing.on('response', (incoming) => void readResponse(incoming).then(resolve, reject));
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  };
};
