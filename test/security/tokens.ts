import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMINISTRATOR, bearer, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { forgedTokens } from '@platform/shared/testing/forged-tokens';
import { formatStatus } from '@platform/shared/testing/http-client';
import jsonwebtoken from 'jsonwebtoken';
import type { Fixture, User } from './fixture.ts';

type Route = [name: string, path: string, credential: 'bearer' | 'cookie', accepted: readonly string[]];

/** Protected routes, each with the tokens that it accepts. */
const ROUTES: readonly Route[] = [
  ['customers/me', `${CUSTOMER.path}/me`, 'bearer', ['customer access']],
  ['employees/me', `${EMPLOYEE.path}/me`, 'bearer', ['employee access']],
  ['admin/me', `${ADMINISTRATOR.path}/me`, 'bearer', ['ADMIN access', 'OPERATOR access', 'ARBITER access']],
  [
    'auth/me',
    '/api/v1/auth/me',
    'bearer',
    ['customer access', 'employee access', 'ADMIN access', 'OPERATOR access', 'ARBITER access'],
  ],
  ['customers/sessions', `${CUSTOMER.path}/sessions`, 'bearer', ['customer access']],
  ['users', '/api/v1/users', 'bearer', ['ADMIN access']],
  ['audit-log', '/api/v1/administrator/audit-log', 'bearer', ['ADMIN access']],
  ['administrator/me', '/api/v1/administrator/me', 'bearer', ['ADMIN access']],
  ['operator/me', '/api/v1/operator/me', 'bearer', ['OPERATOR access']],
  ['arbiter/me', '/api/v1/arbiter/me', 'bearer', ['ARBITER access']],
  // Sent with an empty body: 400 follows a valid token, so no password changes.
  ...[CUSTOMER, EMPLOYEE, ADMINISTRATOR].map(
    (kind): Route => [
      `${kind.plural}' password by cookie`,
      `${kind.path}/reset-password/me`,
      'cookie',
      kind === ADMINISTRATOR
        ? ['ADMIN refresh', 'OPERATOR refresh', 'ARBITER refresh']
        : [`${kind.kind} refresh`],
    ],
  ),
];

const COOKIES = [CUSTOMER, EMPLOYEE, ADMINISTRATOR].map(({ refreshCookie }) => refreshCookie);

const sendToken = async (fixture: Fixture, user: User, token: string, [, path, credential]: Route) => {
  const { fingerprint, sessionId } = user.device;
  const device = { 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId };
  return credential === 'bearer'
    ? await fixture.send(path, { headers: { ...bearer({ accessToken: token }), ...device } })
    : await fixture.send(path, {
        method: 'POST',
        headers: { Cookie: COOKIES.map((name) => `${name}=${token}`).join('; '), ...device },
        body: {},
      });
};

const isAccepted = (status: number): boolean => status !== 401 && status !== 403;

const testTokenConfusion = async (fixture: Fixture, users: Record<string, User>): Promise<void> => {
  fixture.section('Token confusion: each route accepts only its own tokens');
  for (const [owner, user] of Object.entries(users))
    for (const use of ['access', 'refresh'] as const) {
      const name = `${owner} ${use}`;
      const token = use === 'access' ? user.device.accessToken : user.device.refreshToken;
      const outcomes: string[] = [];
      let isCorrect = true;
      for (const route of ROUTES) {
        const response = await sendToken(fixture, user, token, route);
        outcomes.push(`${route[0]} ${response.status}`);
        isCorrect &&= isAccepted(response.status) === route[3].includes(name);
      }
      fixture.check(isCorrect, `${name} token`, outcomes.join(', '));
    }
};

const testForgedTokens = async (
  fixture: Fixture,
  user: User,
  secret: string,
  path: string,
): Promise<void> => {
  fixture.section(
    `Forged access tokens of ${user.kind.plural}, some with a valid signature: ${path} returns 401`,
  );
  const headers = { 'X-Fingerprint': user.device.fingerprint };
  for (const [name, token] of Object.entries(forgedTokens(user.device.accessToken, secret))) {
    // Some edits give an ADMIN's token the value that it already has.
    if (token === user.device.accessToken) continue;
    const response = await fixture.send(path, { headers: { ...bearer({ accessToken: token }), ...headers } });
    fixture.check(response.status === 401, `a token ${name}`, response);
  }
  const [record] = await fixture.records.query<{ jwtid: string }>(
    'select access_token_id as jwtid from token_records where user_id = $1',
    [user.id],
  );
  // Admin-service could sign it: it can read the table and has the secret of administrators.
  const accessToken = jsonwebtoken.sign({ userId: user.id, roles: [], platformRole: 'ADMIN' }, secret, {
    ...record,
    expiresIn: 600,
  });
  const stored = await fixture.send(path, { headers: { ...bearer({ accessToken }), ...headers } });
  fixture.check(stored.status === 401, 'a token of the id that the database stores', stored);
  const genuine = await fixture.send(path, { headers: { ...bearer(user.device), ...headers } });
  fixture.check(genuine.status === 200, 'the unchanged token afterwards', genuine);
};

const testMisplacedTokens = async (fixture: Fixture, { device }: User): Promise<void> => {
  fixture.section('A valid token in the wrong place: ignored');
  const token = device.accessToken;
  const calls: [string, string, Record<string, string>][] = [
    ['in the query', `/api/v1/users?access_token=${token}`, {}],
    ['in a cookie', '/api/v1/users', { Cookie: `Authorization=Bearer ${token}; token=${token}` }],
    ['as Basic', '/api/v1/users', { Authorization: `Basic ${token}` }],
    ['without a scheme', '/api/v1/users', { Authorization: token }],
    ['in X-Authorization', '/api/v1/users', { 'X-Authorization': `Bearer ${token}` }],
    ['twice in one header', '/api/v1/users', { Authorization: `Bearer ${token}, Bearer ${token}` }],
  ];
  for (const [place, path, headers] of calls) {
    const response = await fixture.send(path, { headers });
    fixture.check(response.status === 401, `an ADMIN's token ${place}`, formatStatus(response));
  }
};

export const testTokens = async (fixture: Fixture, dataDir: string): Promise<void> => {
  const admin = await fixture.createUser(ADMINISTRATOR);
  const customer = await fixture.createUser(CUSTOMER);
  await testTokenConfusion(fixture, {
    customer,
    employee: await fixture.createUser(EMPLOYEE),
    ADMIN: admin,
    OPERATOR: await fixture.createUser(ADMINISTRATOR, 'OPERATOR'),
    ARBITER: await fixture.createUser(ADMINISTRATOR, 'ARBITER'),
  });
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  await testForgedTokens(fixture, admin, secrets['JWT_ADMIN_ACCESS_SECRET_KEY'] ?? '', '/api/v1/users');
  await testMisplacedTokens(fixture, admin);
};
