// `node run.mjs dev/tls-front.ts <certificate> <key>`: HTTPS in front of the gateway of the running stack, for browsers that
// accept `Secure` cookies over HTTPS only (docs/development.md).

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { readFlags, runCommand } from './command.ts';
import { readDataDir } from './config.ts';
import { readStackFile } from './data-dir.ts';
import { errorText, StackError } from './stack-error.ts';

const readPem = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StackError(`The certificate or key cannot be read: ${errorText(error)}`);
  }
};

const createProxy = (gatewayUrl: string) =>
  createProxyMiddleware({
    target: gatewayUrl,
    on: {
      // Browsers store it for the host, and would then refuse http:// on every port of it.
      proxyRes: ({ headers }) => {
        delete headers['strict-transport-security'];
      },
      error: (_error, _req, res) => {
        if ('writeHead' in res && !res.headersSent) res.writeHead(502);
        res.end('The gateway does not respond.\n');
      },
    },
  });

await runCommand(async () => {
  const [certificate, key, ...rest] = process.argv.slice(2);
  readFlags(rest, {});
  if (certificate === undefined || key === undefined)
    throw new StackError('Usage: node run.mjs dev/tls-front.ts <certificate> <key>');
  const stack = readStackFile(readDataDir(process.env));
  if (stack === undefined) throw new StackError('No stack is running: start it first, with npm start.');
  const proxy = createProxy(stack.gatewayUrl);
  const server = createServer({ cert: readPem(certificate), key: readPem(key) }, (req, res) => {
    void proxy(req, res);
  });
  server.on('error', (error) => {
    console.error(`The port cannot be bound (${error.message}); TLS_PORT chooses another one.`);
    process.exit(1);
  });
  server.listen(Number(process.env.TLS_PORT || 3443), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : address;
    console.log(`https://localhost:${port}/ forwards to ${stack.gatewayUrl}. Ctrl-C stops it.`);
  });
});
