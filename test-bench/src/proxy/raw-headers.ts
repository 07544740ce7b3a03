import type { IncomingMessage } from 'node:http';

/** Names and values in turn, as in `rawHeaders`. */
export type RawHeaders = string[];

/** Every response has it. */
export const MARK: [string, string] = ['X-Test-Bench', 'on'];
/** Methods of requests that Node sends without a body unless a header announces one. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Returns the headers but for those with these names, which are in lower case. */
export const without = (headers: readonly string[], isDropped: (name: string) => boolean): RawHeaders => {
  const kept: RawHeaders = [];
  for (let index = 0; index < headers.length; index += 2) {
    const { [index]: name = '', [index + 1]: value = '' } = headers;
    if (!isDropped(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};

/** Only a proxy in front of the gateway may say where a request comes from. */
const isOfProxy = (name: string): boolean =>
  name.startsWith('x-forwarded-') || name === 'x-test-label' || name === 'x-test-network';

/** The headers of a client as they are, and where the request comes from. */
export const toGatewayHeaders = ({ rawHeaders, headers, method }: IncomingMessage, address: string) => {
  const sent = without(rawHeaders, isOfProxy);
  sent.push('X-Forwarded-For', address);
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  // Otherwise Node would announce a chunked body.
  if (!hasBody && !WITHOUT_BODY.has(method ?? '')) sent.push('Content-Length', '0');
  return sent;
};

/** The headers of the gateway as they are, but for those of its connection, which Node sets for each connection. */
export const toClientHeaders = ({ rawHeaders, headers }: IncomingMessage, closes: boolean): RawHeaders => {
  const isOfConnection = (name: string) =>
    name === 'connection' || name === 'keep-alive' || name === 'transfer-encoding';
  const sent = without(rawHeaders, isOfConnection);
  if (closes || headers.connection?.toLowerCase() === 'close') sent.push('Connection', 'close');
  sent.push(...MARK);
  return sent;
};
