// `npm run mock`: responds to every operation with the examples of the OpenAPI documents. Ctrl-C stops it.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { port, readEnvironment } from '@platform/shared/config/env';
import { runCommand } from '../command.ts';
import { errorCode, StackError } from '../stack-error.ts';
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

/** Loopback only: every password signs in. @returns the port */
const listen = async (server: Server, wanted: number): Promise<number> => {
  try {
    await once(server.listen(wanted, '127.0.0.1'), 'listening');
  } catch (error) {
    const reason = errorCode(error) === 'EADDRINUSE' ? 'is in use' : `cannot be bound: ${errorCode(error)}`;
    throw new StackError(`Port ${wanted} ${reason}: choose another one, such as MOCK_PORT=0 npm run mock.`);
  }
  return (server.address() as AddressInfo).port;
};

await runCommand(async () => {
  // 0 means any free port.
  const { MOCK_PORT } = readEnvironment(process.env, { MOCK_PORT: port(4010) });
  const app = await createMockApp((method, path, status) => console.log(`${method} ${path} ${status}`));
  const bound = await listen(createServer(app), MOCK_PORT);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  console.log(formatSummary(`http://localhost:${bound}`));
});
