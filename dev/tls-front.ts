// `node run.mjs dev/tls-front.ts <certificate> <key>`: HTTPS in front of the gateway of the running stack, for browsers that
// accept `Secure` cookies over HTTPS only (docs/development.md).

import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { readFlags, runCommand } from './command.ts';
import { readDataDir } from './config.ts';
import { readStackFile } from './data-dir.ts';
import { errorText, StackError } from './stack-error.ts';

/** Browsers store Strict-Transport-Security for the host, and would then refuse http:// on every port of it. */
const withoutHsts = ({ headers }: IncomingMessage) => {
  const { 'strict-transport-security': _hsts, ...others } = headers;
  return others;
};

const forward = (gatewayUrl: string, req: IncomingMessage, res: ServerResponse): void => {
  const outgoing = request(new URL(gatewayUrl), { method: req.method, path: req.url, headers: req.headers });
  outgoing.on('response', (response) => {
    res.writeHead(response.statusCode ?? 502, withoutHsts(response));
    pipeline(response, res).catch(() => res.destroy());
  });
  outgoing.on('error', () => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end('The gateway does not respond.\n');
  });
  res.on('close', () => outgoing.destroy());
  req.pipe(outgoing);
};

const readPem = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StackError(`The certificate or key cannot be read: ${errorText(error)}`);
  }
};

const readPort = (): number => Number(process.env.TLS_PORT || 3443);

await runCommand(async () => {
  const [certificate, key, ...rest] = process.argv.slice(2);
  readFlags(rest, {});
  if (certificate === undefined || key === undefined)
    throw new StackError('Usage: node run.mjs dev/tls-front.ts <certificate> <key>');
  const stack = readStackFile(readDataDir(process.env));
  if (stack === undefined) throw new StackError('No stack is running: start it first, with npm start.');
  const server = createServer({ cert: readPem(certificate), key: readPem(key) }, (req, res) =>
    forward(stack.gatewayUrl, req, res),
  );
  server.on('error', (error) => {
    console.error(`The port cannot be bound (${error.message}); TLS_PORT chooses another one.`);
    process.exit(1);
  });
  server.listen(readPort(), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : readPort();
    console.log(`https://localhost:${port}/ forwards to ${stack.gatewayUrl}. Ctrl-C stops it.`);
  });
});
