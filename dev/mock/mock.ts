// `npm run mock`: responds to every operation with the examples of the OpenAPI documents. Ctrl-C stops it.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode, StackError } from '../stack-error.ts';
import { type MockConfig, readMockConfig } from './config.ts';
import { createMockApp } from './mock-app.ts';

const formatSummary = (url: string): string =>
  [
    '',
    `The mock of the platform is ready: ${url}/api/v1`,
    '',
    '  Every operation responds with an example of the OpenAPI documents; requests are validated as by the platform.',
    '  Any account and password signs in. As administrator, operator@… and arbiter@… have the other platform roles.',
    '  Another response: send the header `Prefer: code=404`, or `Prefer: example=USER_BLOCKED`.',
    '',
    `  API docs       ${url}/api and ${url}/api/v1/docs`,
    '  Cookies        use the host name of your page (localhost or 127.0.0.1) for the mock, too',
    '  Stop           Ctrl-C',
    '',
  ].join('\n');

const listen = async (server: Server, { port, host }: MockConfig): Promise<number> => {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const reason = errorCode(error) === 'EADDRINUSE' ? 'is in use' : `cannot be bound: ${errorCode(error)}`;
    throw new StackError(`Port ${port} ${reason}: choose another one, such as MOCK_PORT=0 npm run mock.`);
  }
  return (server.address() as AddressInfo).port;
};

const run = async (config: MockConfig): Promise<void> => {
  const app = await createMockApp((method, path, status) => console.log(`${method} ${path} ${status}`));
  const server = createServer(app);
  const port = await listen(server, config);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  console.log(formatSummary(`http://localhost:${port}`));
};

try {
  await run(readMockConfig(process.env));
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
}
