import { gzipSync } from 'node:zlib';
import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { bearer, type Scene } from './fixture.ts';
import { type Answer, show } from './web-client.ts';

/** What a parser could choke on, or take for more than data. */
export const attackByBodies = async (scene: Scene): Promise<void> => {
  scene.section('Keys of the prototype, and bodies that are heavier than they look');
  const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`;
  const email = uniqueEmail();
  const bodies: [string, string | Buffer, Record<string, string>][] = [
    [
      '__proto__',
      `{"__proto__":{"isBlocked":true,"polluted":1},"email":"${uniqueEmail()}","password":"${PASSWORD}"}`,
      {},
    ],
    [
      'constructor.prototype',
      `{"constructor":{"prototype":{"polluted":1}},"email":"${uniqueEmail()}","password":"${PASSWORD}"}`,
      {},
    ],
    ['three thousand levels', deep, {}],
    ['a hundred megabytes in gzip', gzipSync(Buffer.alloc(100_000_000)), { 'Content-Encoding': 'gzip' }],
    ['an e-mail twice', `{"email":"${email}","email":"x${email}","password":"${PASSWORD}"}`, {}],
    ['a number of 90,000 digits', `{"email":"${email}","password":${'9'.repeat(90_000)}}`, {}],
  ];
  for (const [what, body, headers] of bodies) {
    const started = performance.now();
    const answer = await scene.send(`${CUSTOMER.path}/sign-up`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    const milliseconds = performance.now() - started;
    const isHandled = answer.status >= 200 && answer.status < 500 && !answer.text.includes('polluted');
    scene.check(
      isHandled && milliseconds < 5_000,
      `sign-up with ${what}`,
      `${show(answer)} after ${milliseconds.toFixed(0)} ms`,
    );
  }
  const { device } = await scene.person(ADMINISTRATOR);
  const usersBy = (query: string) =>
    scene.send(`/api/v1/users?${query}`, { headers: bearer(device.accessToken) });
  const totalOf = ({ body }: Answer) => (body as { total?: number }).total;
  const all = totalOf(await usersBy(''));
  for (const query of [
    '__proto__[x]=1',
    'constructor[prototype][x]=1',
    '__proto__=1',
    'search[__proto__]=1',
  ]) {
    const answer = await usersBy(query);
    const isIgnored = answer.status === 200 && totalOf(answer) === all;
    scene.check(
      answer.status === 400 || isIgnored,
      `users?${query}`,
      isIgnored ? `${show(answer)}, as without it` : answer,
    );
  }
  const fresh = await scene.send(`${CUSTOMER.path}/sign-up`, {
    method: 'POST',
    body: { email: uniqueEmail(), password: PASSWORD },
  });
  scene.check(
    fresh.status === 201 && !fresh.text.includes('polluted'),
    'an ordinary sign-up afterwards',
    fresh,
  );
};
