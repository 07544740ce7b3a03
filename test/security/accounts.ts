import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { bearer, KINDS, type Scene } from './fixture.ts';
import { type Answer, show } from './web-client.ts';

/** What tells one caller from another: all but the request's id, the time and the counters. */
const observable = ({ status, text, headers }: Answer): string =>
  JSON.stringify([status, text.replace(/"requestId":"[^"]*"/, ''), Object.keys(headers).sort()]);

const tryEnumeration = async (scene: Scene): Promise<void> => {
  scene.section('Is there an account? Answers for a known and an unknown e-mail');
  for (const kind of KINDS) {
    const known = await scene.person(kind);
    const foreign = await scene.person(kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
    const post = (tail: string, body: object) =>
      scene.send(kind.path + tail, { method: 'POST', headers: { 'X-Fingerprint': 'device' }, body });
    const reset = { code: '000000', newPassword: PASSWORD };
    const questions: [string, (email: string) => Promise<Answer>][] = [
      ['sign-in with a wrong password', (email) => post('/sign-in', { email, password: WRONG_PASSWORD })],
      ['a reset code', (email) => post('/reset-password/email/code/send', { email })],
      ['a second reset code', (email) => post('/reset-password/email/code/send', { email })],
      ['a reset with a wrong code', (email) => post('/reset-password/email/code', { email, ...reset })],
    ];
    const unknown = uniqueEmail();
    for (const [what, ask] of questions) {
      const answers = [await ask(known.email), await ask(unknown), await ask(foreign.email)];
      const isSame = new Set(answers.map(observable)).size === 1;
      scene.check(
        isSame,
        `${what} of ${kind.plural}: known, unknown, of another kind`,
        answers.map(show).join(' / '),
      );
    }
  }
};

const HIDDEN = {
  id: randomUUID(),
  userId: randomUUID(),
  roles: ['ADMIN'],
  role: 'ADMIN',
  platformRole: 'ADMIN',
  isBlocked: false,
  isEmailVerified: true,
  emailVerified: true,
  customerId: randomUUID(),
  passwordHash: 'x',
  createdAt: '2000-01-01T00:00:00Z',
};

const tryMassAssignment = async (scene: Scene): Promise<void> => {
  scene.section('Fields that are nobody’s to set');
  for (const kind of [CUSTOMER, EMPLOYEE]) {
    const body = { ...HIDDEN, email: uniqueEmail(), password: PASSWORD };
    const answer = await scene.send(`${kind.path}/sign-up`, { method: 'POST', body });
    const { user } = answer.body as { user?: { id: string; roles: string[]; isEmailVerified: boolean } };
    const [row] = await scene.records.query<{ is: string }>(
      `select is_blocked || ' ' || is_email_verified || ' ' || (select string_agg(role, ',') from user_roles where user_id = u.id) as is
       from users u where email = $1`,
      [body.email],
    );
    scene.check(
      user?.id !== HIDDEN.id && row?.is === `false false ${kind.role}`,
      `sign-up of ${kind.plural} with ${Object.keys(HIDDEN).join(', ')}`,
      `${show(answer)}, roles ${user?.roles}, verified ${user?.isEmailVerified}`,
    );
  }
  const admin = await scene.person(ADMINISTRATOR);
  const headers = bearer(admin.device.accessToken);
  const body = {
    email: uniqueEmail(),
    password: PASSWORD,
    platformRole: 'OPERATOR',
    roles: ['OPERATOR', 'CUSTOMER'],
  };
  const registered = await scene.send(`${ADMINISTRATOR.path}/register`, { method: 'POST', headers, body });
  const { platformRole } = registered.body as { platformRole?: string };
  scene.check(
    platformRole === 'ADMIN',
    'register with platformRole and roles',
    `${show(registered)}, ${platformRole}`,
  );
  const { id } = await scene.records.user(['CUSTOMER']);
  const [project] = await scene.records.query<{ id: string }>(
    `insert into projects (owner_id, title, description, category) values ($1, 'Shop', 'A shop.', 'WEB') returning id`,
    [id],
  );
  const fields = ['status', 'ownerId', 'deletedAt', 'id', 'contractingStage', '__proto__', 'constructor'];
  for (const field of fields) {
    const edit = `{"title":"Mine now","${field}":"COMPLETED"}`;
    const type = { 'Content-Type': 'application/json' };
    const answer = await scene.send(`/api/v1/projects/${project?.id}`, {
      method: 'PATCH',
      headers: { ...headers, ...type },
      body: edit,
    });
    const { body: after } = await scene.send(`/api/v1/projects/${project?.id}`, { headers });
    scene.check(
      answer.status === 400 && (after as { title: string }).title === 'Shop',
      `a project edit with ${field}`,
      `${show(answer)}, title ${(after as { title: string }).title}`,
    );
  }
};

export const attackAccounts = async (scene: Scene): Promise<void> => {
  await tryEnumeration(scene);
  await tryMassAssignment(scene);
};
