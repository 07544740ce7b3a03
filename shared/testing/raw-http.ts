import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { recordResponse } from './record-responses.ts';

type RawConnectionOptions = {
  localAddress?: string;
  /** The client closes the connection when nothing has arrived for this long. By default it never does. */
  idleSeconds?: number;
};

/** Opens a connection for bytes that no HTTP client would send, or would not send at this pace. */
export const openRawConnection = (
  baseUrl: string,
  { localAddress, idleSeconds }: RawConnectionOptions = {},
) => {
  const { hostname: host, port } = new URL(baseUrl);
  const socket = connect({ host, port: Number(port), ...(localAddress && { localAddress }) });
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  // Bytes that arrived before a reset count.
  socket.on('error', () => socket.destroy());
  if (idleSeconds !== undefined) socket.setTimeout(idleSeconds * 1_000, () => socket.destroy());
  return {
    write: (bytes: string | Buffer) => void socket.write(bytes, 'latin1'),
    /** All bytes so far, as Latin-1. */
    received: () => text,
    /** Resolves with all received bytes once the connection is closed. */
    closed: new Promise((resolve) => socket.once('close', resolve)).then(() => {
      // Responses to input that Node's parser rejects cause no event on the server.
      for (const [, code] of text.matchAll(/"code":"(\w+)"/g)) recordResponse('*', '*', 0, code);
      return text;
    }),
    close: () => socket.destroy(),
    /** Ends the connection with a RST. */
    reset: () => socket.resetAndDestroy(),
  };
};

/**
 * Sends bytes unchanged. Resolves with all bytes that arrived until the server closed the connection or was
 * silent for 15 s.
 */
export const sendRaw = (baseUrl: string, ...parts: (string | Buffer)[]): Promise<string> => {
  const connection = openRawConnection(baseUrl, { idleSeconds: 15 });
  for (const part of parts) connection.write(part);
  return connection.closed;
};

/** The status of each response on a connection. */
export const parseStatuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

type RawResponse = { status: number; headers: IncomingHttpHeaders; text: string };

const joinChunks = (chunked: string): string => {
  let rest = chunked;
  let text = '';
  for (let length = Number.parseInt(rest, 16); length > 0; length = Number.parseInt(rest, 16)) {
    const start = rest.indexOf('\r\n') + 2;
    text += rest.slice(start, start + length);
    rest = rest.slice(start + length + 2);
  }
  return text;
};

/** The first final response on a connection, or undefined if there is none. The text is decoded as UTF-8. */
export const parseResponse = (received: string): RawResponse | undefined => {
  const final = received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const end = final.indexOf('\r\n\r\n');
  const [first = '', ...lines] = final.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (end === -1 || Number.isNaN(status)) return undefined;
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === 'set-cookie') headers[key] = [...(headers[key] ?? []), value];
    else headers[key] = value;
  }
  const body = final.slice(end + 4);
  const bytes = headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body;
  return { status, headers, text: Buffer.from(bytes, 'latin1').toString() };
};

/** The status of the first response, or NaN without one. */
export const parseStatus = (received: string): number => parseResponse(received)?.status ?? Number.NaN;

/** The JSON body of the last response on a connection. */
export const parseBody = (received: string): Record<string, unknown> =>
  JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4));
