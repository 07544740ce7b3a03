import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { forgedTokens } from '@platform/shared/testing/forged-tokens';
import { bearer, type Person, type Scene } from './fixture.ts';
import { show } from './web-client.ts';

/** Where a token can be shown, each with the tokens that open it. */
const DOORS: readonly [name: string, path: string, as: 'bearer' | 'cookie', keys: readonly string[]][] = [
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
  // An empty body, so that a token that opens it changes nothing: 400 comes after 401.
  ...[CUSTOMER, EMPLOYEE, ADMINISTRATOR].map((kind): [string, string, 'cookie', string[]] => [
    `${kind.plural}' password by cookie`,
    `${kind.path}/reset-password/me`,
    'cookie',
    kind === ADMINISTRATOR
      ? ['ADMIN refresh', 'OPERATOR refresh', 'ARBITER refresh']
      : [`${kind.kind} refresh`],
  ]),
];

const COOKIES = [CUSTOMER, EMPLOYEE, ADMINISTRATOR].map(({ refreshCookie }) => refreshCookie);

const showAt = async (scene: Scene, person: Person, token: string, [, path, as]: (typeof DOORS)[number]) => {
  const { fingerprint, sessionId } = person.device;
  const device = { 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId };
  return as === 'bearer'
    ? await scene.send(path, { headers: { ...bearer(token), ...device } })
    : await scene.send(path, {
        method: 'POST',
        headers: { Cookie: COOKIES.map((name) => `${name}=${token}`).join('; '), ...device },
        body: {},
      });
};

const isOpen = (status: number): boolean => status !== 401 && status !== 403;

const tryMatrix = async (scene: Scene, people: Record<string, Person>): Promise<void> => {
  scene.section('Token confusion: each token at each door, alone in every cookie and in the header');
  for (const [who, person] of Object.entries(people))
    for (const use of ['access', 'refresh'] as const) {
      const name = `${who} ${use}`;
      const token = use === 'access' ? person.device.accessToken : person.device.refreshToken;
      const answers: string[] = [];
      let isRight = true;
      for (const door of DOORS) {
        const answer = await showAt(scene, person, token, door);
        answers.push(`${door[0]} ${answer.status}`);
        isRight &&= isOpen(answer.status) === door[3].includes(name);
      }
      scene.check(isRight, `${name} token`, answers.join(', '));
    }
};

const tryForgeries = async (scene: Scene, person: Person, secret: string, path: string): Promise<void> => {
  scene.section(
    `Forged access tokens of ${person.kind.plural}, made with the right secret where it helps, at ${path}`,
  );
  const headers = { 'X-Fingerprint': person.device.fingerprint };
  for (const [what, token] of Object.entries(forgedTokens(person.device.accessToken, secret))) {
    // What is edited may be what an ADMIN's says already.
    if (token === person.device.accessToken) continue;
    const answer = await scene.send(path, { headers: { ...bearer(token), ...headers } });
    scene.check(answer.status === 401, `a token ${what}`, answer);
  }
  const genuine = await scene.send(path, { headers: { ...bearer(person.device.accessToken), ...headers } });
  scene.check(genuine.status === 200, 'the genuine token, afterwards', genuine);
};

const tryDeadTokens = async (scene: Scene): Promise<void> => {
  scene.section('Tokens that were good once');
  const [gone, blocked, superseded] = [
    await scene.person(CUSTOMER),
    await scene.person(CUSTOMER),
    await scene.person(CUSTOMER),
  ];
  const meOf = ({ kind, device }: Person) =>
    scene.send(`${kind.path}/me`, {
      headers: { ...bearer(device.accessToken), 'X-Fingerprint': device.fingerprint },
    });
  const headers = { ...bearer(gone.device.accessToken), 'X-Fingerprint': gone.device.fingerprint };
  await scene.send(`${CUSTOMER.path}/sign-out`, { headers });
  const afterSignOut = await meOf(gone);
  scene.check(afterSignOut.code === 'TOKEN_INVALID', 'after the sign-out', afterSignOut);
  await scene.records.block(blocked.id);
  const whileBlocked = await meOf(blocked);
  scene.check(whileBlocked.code === 'USER_BLOCKED', 'of a blocked user', whileBlocked);
  await scene.signIn(superseded, superseded.device.fingerprint);
  const afterSignIn = await meOf(superseded);
  scene.check(afterSignIn.code === 'TOKEN_INVALID', 'after another sign-in of the device', afterSignIn);
};

const tryStrayPlaces = async (scene: Scene, { device }: Person): Promise<void> => {
  scene.section('A good token where none is read');
  const token = device.accessToken;
  const tries: [string, string, Record<string, string>][] = [
    ['in the query', `/api/v1/users?access_token=${token}`, {}],
    ['in a cookie', '/api/v1/users', { Cookie: `Authorization=Bearer ${token}; token=${token}` }],
    ['as Basic', '/api/v1/users', { Authorization: `Basic ${token}` }],
    ['without a scheme', '/api/v1/users', { Authorization: token }],
    ['in X-Authorization', '/api/v1/users', { 'X-Authorization': `Bearer ${token}` }],
    ['twice in one header', '/api/v1/users', { Authorization: `Bearer ${token}, Bearer ${token}` }],
  ];
  for (const [where, path, headers] of tries) {
    const answer = await scene.send(path, { headers });
    scene.check(answer.status === 401, `an ADMIN's token ${where}`, show(answer));
  }
};

export const attackTokens = async (scene: Scene, dataDir: string): Promise<void> => {
  const admin = await scene.person(ADMINISTRATOR);
  const customer = await scene.person(CUSTOMER);
  await tryMatrix(scene, {
    customer,
    employee: await scene.person(EMPLOYEE),
    ADMIN: admin,
    OPERATOR: await scene.person(ADMINISTRATOR, 'OPERATOR'),
    ARBITER: await scene.person(ADMINISTRATOR, 'ARBITER'),
  });
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  await tryForgeries(scene, customer, secrets['JWT_CUSTOMER_ACCESS_SECRET_KEY'] ?? '', `${CUSTOMER.path}/me`);
  await tryForgeries(scene, admin, secrets['JWT_ADMIN_ACCESS_SECRET_KEY'] ?? '', '/api/v1/users');
  await tryDeadTokens(scene);
  await tryStrayPlaces(scene, admin);
};
