import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Scene } from './fixture.ts';
import { sendBytes } from './web-client.ts';

const HOST = 'Host: x\r\n';

/** What could replace, repeat or suppress a response on a connection, at the gateway and at auth-service directly. */
export const attackConnections = async (scene: Scene): Promise<void> => {
  scene.section('Connections: one whole response for each request, in its order');
  const signUp = () => {
    const body = JSON.stringify({ email: uniqueEmail(), password: PASSWORD });
    return `POST ${CUSTOMER.path}/sign-up HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const expecting = `POST ${CUSTOMER.path}/sign-up HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 500000\r\n\r\n`;
  const attacks = (): [string, string, number[]][] => [
    ['a sign-up, garbage pipelined after it', `${signUp()}NOT HTTP\r\n\r\n`, [201, 400]],
    ['a sign-up, CONNECT pipelined after it', `${signUp()}CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`, [201, 400]],
    ['Expect: 100-continue with 500,000 bytes', expecting, [413]],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, [400]],
    ['TRACE of a path', `TRACE /api/v1/auth/me HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, [405]],
    ['TRACE of no path', `TRACE /api/v1/auth/no HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, [404]],
  ];
  for (const [where, url] of [
    ['gateway', scene.url],
    ['auth-service', scene.stack.authUrl],
  ] as const)
    for (const [what, bytes, expected] of attacks()) {
      const text = await sendBytes(url, bytes);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      scene.check(
        statuses.join() === expected.join(),
        `${what}, at ${where}`,
        statuses.join(', ') || 'closed',
      );
    }
};
