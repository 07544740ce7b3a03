import {
  ADMINISTRATOR,
  accessHeaders,
  bearer,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { countStatuses, type Fixture, type RequestOptions, type User } from './fixture.ts';

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
const MAX_MILLISECONDS = 2_500;
/** Ids and tokens contain any short text now and then. */
const RANDOM_TEXT = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

type Input = [name: string, createRequest: (payload: string) => [path: string, options: RequestOptions]];

const withQuery = (path: string, name: string, payload: string) =>
  `${path}?${new URLSearchParams({ [name]: payload })}`;

/** Every text input of the API. */
const createInputs = (admin: User, customer: User, projectId: string): Input[] => {
  const asAdmin = { headers: bearer(admin.device) };
  const asCustomer = (headers: Record<string, string>): RequestOptions => ({
    headers: { ...accessHeaders(customer.device), ...headers },
  });
  const post = (body: object, headers: Record<string, string> = {}): RequestOptions => ({
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
    ...lists.map(
      ([path, name]): Input => [`${path}?${name}`, (text) => [withQuery(path, name, text), asAdmin]],
    ),
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
      'the local part of the e-mail at sign-in',
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

const testPayloads = async (
  fixture: Fixture,
  admin: User,
  customer: User,
  projectId: string,
): Promise<void> => {
  fixture.section(`SQL, template and shell injection: ${PAYLOADS.length} payloads in every text input`);
  const countUsers = async () => (await fixture.records.query('select 1 from users')).length;
  for (const [name, createRequest] of createInputs(admin, customer, projectId)) {
    const before = await countUsers();
    const responses: HttpResponse[] = [];
    let slowest = 0;
    let leaks = false;
    for (const payload of PAYLOADS) {
      const started = performance.now();
      const response = await fixture.send(...createRequest(payload));
      slowest = Math.max(slowest, performance.now() - started);
      responses.push(response);
      leaks ||= /\$2b\$|syntax error|pg_|relation "|4949/.test(
        response.text.replaceAll(payload, '').replaceAll(RANDOM_TEXT, ''),
      );
    }
    const isHandled = responses.every(({ status }) => /^[24]/.test(String(status)));
    const hasAllUsers = (await countUsers()) >= before;
    fixture.check(
      isHandled && hasAllUsers && !leaks && slowest < MAX_MILLISECONDS,
      name,
      `${countStatuses(responses)}; slowest ${slowest.toFixed(0)} ms${leaks ? '; leaks database text or evaluates the payload' : ''}`,
    );
  }
};

export const testInjection = async (fixture: Fixture): Promise<void> => {
  const admin = await fixture.createUser(ADMINISTRATOR);
  const customer = await fixture.createUser(CUSTOMER);
  const projectId = await fixture.records.project({ ownerId: customer.id });
  await testPayloads(fixture, admin, customer, projectId);
};
