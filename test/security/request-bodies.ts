import { gzipSync } from 'node:zlib';
import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Fixture } from './fixture.ts';

export const testRequestBodies = async (fixture: Fixture): Promise<void> => {
  fixture.section('Prototype pollution and oversized bodies: rejected or ignored, and within 5 s');
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
    ['3,000 levels of nesting', deep, {}],
    ['100 MB compressed by gzip', gzipSync(Buffer.alloc(100_000_000)), { 'Content-Encoding': 'gzip' }],
    ['a duplicate e-mail field', `{"email":"${email}","email":"x${email}","password":"${PASSWORD}"}`, {}],
    ['a number of 90,000 digits', `{"email":"${email}","password":${'9'.repeat(90_000)}}`, {}],
  ];
  for (const [name, body, headers] of bodies) {
    const started = performance.now();
    const response = await fixture.send(`${CUSTOMER.path}/sign-up`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    const milliseconds = performance.now() - started;
    const isHandled = response.status >= 200 && response.status < 500 && !response.text.includes('polluted');
    fixture.check(
      isHandled && milliseconds < 5_000,
      `sign-up with ${name}`,
      `${formatStatus(response)} after ${milliseconds.toFixed(0)} ms`,
    );
  }
  const { device } = await fixture.createUser(ADMINISTRATOR);
  const listUsers = (query: string) => fixture.send(`/api/v1/users?${query}`, { headers: bearer(device) });
  const getTotal = ({ body }: HttpResponse) => (body as { total?: number }).total;
  const total = getTotal(await listUsers(''));
  for (const query of [
    '__proto__[x]=1',
    'constructor[prototype][x]=1',
    '__proto__=1',
    'search[__proto__]=1',
  ]) {
    const response = await listUsers(query);
    const isIgnored = response.status === 200 && getTotal(response) === total;
    fixture.check(
      response.status === 400 || isIgnored,
      `users?${query}`,
      isIgnored ? `${formatStatus(response)}, parameter ignored` : response,
    );
  }
  const signedUp = await fixture.send(`${CUSTOMER.path}/sign-up`, {
    method: 'POST',
    body: { email: uniqueEmail(), password: PASSWORD },
  });
  fixture.check(
    signedUp.status === 201 && !signedUp.text.includes('polluted'),
    'an ordinary sign-up afterwards',
    signedUp,
  );
};
