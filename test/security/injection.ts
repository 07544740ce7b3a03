import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { bearer, deviceHeaders, type Person, type Scene } from './fixture.ts';
import { type Call, show } from './web-client.ts';

const PAYLOADS = [
  "' or '1'='1",
  "' or 1=1 --",
  "'; drop table users; --",
  "'; select pg_sleep(5); --",
  "' || (select pg_sleep(5)) || '",
  '1); delete from users; --',
  "\\'; select 1; --",
  '$1',
  '$$; select pg_sleep(5); $$',
  '%27%20or%201=1',
  "a' union select password_hash from users --",
  '{{7*7}}<%= 7*7 %>#{7*7}',
  '() { :;}; sleep 5',
  '; sleep 5 #',
  '{"$gt":""}',
];
const SLOW_MILLISECONDS = 2_500;

type Place = [where: string, make: (payload: string) => [path: string, call: Call]];

const query = (path: string, name: string, payload: string) =>
  `${path}?${new URLSearchParams({ [name]: payload })}`;

/** Every text that the interface takes. */
const placesFor = (admin: Person, customer: Person, projectId: string): Place[] => {
  const asAdmin = { headers: bearer(admin.device.accessToken) };
  const asCustomer = (headers: Record<string, string>): Call => ({
    headers: { ...bearer(customer.device.accessToken), ...deviceHeaders(customer), ...headers },
  });
  const post = (body: object, headers: Record<string, string> = {}): Call => ({
    method: 'POST',
    body,
    headers,
  });
  const signIn = (body: object, fingerprint: string) => post(body, { 'X-Fingerprint': fingerprint });
  const lists: [string, string][] = [
    ['/api/v1/users', 'search'],
    ['/api/v1/users', 'role'],
    ['/api/v1/users', 'page'],
    ['/api/v1/projects', 'search'],
    ['/api/v1/projects', 'status'],
    ['/api/v1/projects', 'category'],
    ['/api/v1/administrator/teams', 'status'],
    ['/api/v1/administrator/audit-log', 'actorId'],
    ['/api/v1/administrator/audit-log', 'action'],
    ['/api/v1/administrator/audit-log', 'targetId'],
    ['/api/v1/administrator/audit-log', 'from'],
  ];
  const code = `${EMPLOYEE.path}/reset-password/email/code`;
  return [
    ...lists.map(([path, name]): Place => [`${path}?${name}`, (text) => [query(path, name, text), asAdmin]]),
    ['/api/v1/users/:id', (text) => [`/api/v1/users/${encodeURIComponent(text)}`, asAdmin]],
    ['/api/v1/projects/:id', (text) => [`/api/v1/projects/${encodeURIComponent(text)}`, asAdmin]],
    [
      '…/sessions/:sessionId',
      (text) => [
        `${CUSTOMER.path}/sessions/${encodeURIComponent(text)}`,
        { ...asCustomer({}), method: 'DELETE' },
      ],
    ],
    [
      'a project’s title',
      (text) => [
        `/api/v1/projects/${projectId}`,
        { ...asAdmin, method: 'PATCH', body: { title: text, description: text } },
      ],
    ],
    [
      'the e-mail at sign-in',
      (text) => [`${CUSTOMER.path}/sign-in`, signIn({ email: text, password: PASSWORD }, 'device')],
    ],
    [
      'an e-mail around it at sign-in',
      (text) => [
        `${CUSTOMER.path}/sign-in`,
        signIn({ email: `"${text}"@example.com`, password: PASSWORD }, 'device'),
      ],
    ],
    [
      'the password at sign-in',
      (text) => [`${CUSTOMER.path}/sign-in`, signIn({ email: uniqueEmail(), password: text }, 'device')],
    ],
    [
      'X-Fingerprint at sign-in',
      (text) => [`${CUSTOMER.path}/sign-in`, signIn({ email: customer.email, password: PASSWORD }, text)],
    ],
    ['X-Session-Id at me', (text) => [`${CUSTOMER.path}/me`, asCustomer({ 'X-Session-Id': text })]],
    [
      'the names at sign-up',
      (text) => [
        `${EMPLOYEE.path}/sign-up`,
        post({
          email: uniqueEmail(),
          password: PASSWORD,
          firstName: text,
          lastName: text,
          phone: text.slice(0, 32),
        }),
      ],
    ],
    [
      'the password at sign-up',
      (text) => [`${EMPLOYEE.path}/sign-up`, post({ email: uniqueEmail(), password: text })],
    ],
    [
      'the code at a reset',
      (text) => [code, post({ email: uniqueEmail(), code: text, newPassword: PASSWORD })],
    ],
    ['the e-mail at a reset', (text) => [`${code}/send`, post({ email: text })]],
    [
      'a support request',
      (text) => [
        '/api/v1/contact/support',
        post({ email: uniqueEmail(), subject: text, message: text, name: text }),
      ],
    ],
  ];
};

const trySql = async (scene: Scene, admin: Person, customer: Person, projectId: string): Promise<void> => {
  scene.section(`SQL, templates and shells in every text: ${PAYLOADS.length} payloads each`);
  const countUsers = async () => (await scene.records.query('select 1 from users')).length;
  for (const [where, make] of placesFor(admin, customer, projectId)) {
    const before = await countUsers();
    const statuses = new Map<string, number>();
    let slowest = 0;
    let leaks = false;
    for (const payload of PAYLOADS) {
      const started = performance.now();
      const answer = await scene.send(...make(payload));
      slowest = Math.max(slowest, performance.now() - started);
      statuses.set(show(answer), (statuses.get(show(answer)) ?? 0) + 1);
      leaks ||= /\$2b\$|syntax error|pg_|relation "|4949/.test(answer.text.replaceAll(payload, ''));
    }
    const isRefusedOrKept = [...statuses.keys()].every((status) => /^[24]/.test(status));
    const isWhole = (await countUsers()) >= before;
    const summary = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    scene.check(
      isRefusedOrKept && isWhole && !leaks && slowest < SLOW_MILLISECONDS,
      where,
      `${summary}; slowest ${slowest.toFixed(0)} ms${leaks ? '; text of the database leaks' : ''}`,
    );
  }
};

const tryLike = async (scene: Scene, admin: Person): Promise<void> => {
  scene.section('Characters that mean something to LIKE: in a search they stand for themselves');
  const { id } = await scene.records.user(['CUSTOMER']);
  const mark = `mark${Date.now()}`;
  for (const title of ['100% sure', 'snake_case', 'back\\slash', 'plain words'])
    await scene.records.query(
      `insert into projects (owner_id, title, description, category) values ($1, $2, $3, 'WEB')`,
      [id, `${mark} ${title}`, 'A description.'],
    );
  const tries: [string, number][] = [
    [`${mark} %`, 0],
    [`${mark} 100%`, 1],
    [`${mark} ____`, 0],
    [`${mark} snake_`, 1],
    [`${mark} snake%`, 0],
    [`${mark} back\\`, 1],
    [`${mark} back\\\\`, 0],
    [`${mark.slice(0, 6)}%words`, 0],
    [`${mark} `, 4],
    [`${mark.toUpperCase()} PLAIN`, 1],
  ];
  for (const [term, count] of tries) {
    const { body } = await scene.send(query('/api/v1/projects', 'search', term), {
      headers: bearer(admin.device.accessToken),
    });
    const { total } = body as { total: number };
    scene.check(total === count, `search ${JSON.stringify(term.replace(mark, '…'))}`, `${total} found`);
  }
};

export const attackByInjection = async (scene: Scene): Promise<void> => {
  const admin = await scene.person(ADMINISTRATOR);
  const customer = await scene.person(CUSTOMER);
  const [project] = await scene.records.query<{ id: string }>(
    `insert into projects (owner_id, title, description, category) values ($1, 'Shop', 'A shop.', 'WEB') returning id`,
    [customer.id],
  );
  await trySql(scene, admin, customer, project?.id ?? '');
  await tryLike(scene, admin);
};
