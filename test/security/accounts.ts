import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, bearer, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import type { Fixture } from './fixture.ts';

const PRIVILEGED_FIELDS = {
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

const testMassAssignment = async (fixture: Fixture): Promise<void> => {
  fixture.section('Mass assignment: clients cannot set privileged fields');
  for (const kind of [CUSTOMER, EMPLOYEE]) {
    const body = { ...PRIVILEGED_FIELDS, email: uniqueEmail(), password: PASSWORD };
    const response = await fixture.send(`${kind.path}/sign-up`, { method: 'POST', body });
    const { user } = response.body as { user?: { id: string; roles: string[]; isEmailVerified: boolean } };
    const [row] = await fixture.records.query<{ is: string }>(
      `select is_blocked || ' ' || is_email_verified || ' ' || (select string_agg(role, ',') from user_roles where user_id = u.id) as is
       from users u where email = $1`,
      [body.email],
    );
    fixture.check(
      user?.id !== PRIVILEGED_FIELDS.id && row?.is === `false false ${kind.role}`,
      `sign-up of ${kind.plural} with ${Object.keys(PRIVILEGED_FIELDS).join(', ')}`,
      `${formatStatus(response)}, roles ${user?.roles}, verified ${user?.isEmailVerified}`,
    );
  }
};

const testMassAssignmentByAdmin = async (fixture: Fixture): Promise<void> => {
  const admin = await fixture.createUser(ADMINISTRATOR);
  const headers = bearer(admin.device);
  const body = {
    email: uniqueEmail(),
    password: PASSWORD,
    platformRole: 'OPERATOR',
    roles: ['OPERATOR', 'CUSTOMER'],
  };
  const registered = await fixture.send(`${ADMINISTRATOR.path}/register`, { method: 'POST', headers, body });
  const { platformRole } = registered.body as { platformRole?: string };
  fixture.check(
    platformRole === 'ADMIN',
    'register with platformRole and roles',
    `${formatStatus(registered)}, ${platformRole}`,
  );
  const projectId = await fixture.records.project({ title: 'Shop' });
  const fields = ['status', 'ownerId', 'deletedAt', 'id', 'contractingStage', '__proto__', 'constructor'];
  for (const field of fields) {
    const response = await fixture.send(`/api/v1/projects/${projectId}`, {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: `{"title":"Changed","${field}":"COMPLETED"}`,
    });
    const { body: after } = await fixture.send(`/api/v1/projects/${projectId}`, { headers });
    fixture.check(
      response.status === 400 && (after as { title: string }).title === 'Shop',
      `a project edit with ${field}`,
      `${formatStatus(response)}, title ${(after as { title: string }).title}`,
    );
  }
};

export const testAccounts = async (fixture: Fixture): Promise<void> => {
  await testMassAssignment(fixture);
  await testMassAssignmentByAdmin(fixture);
};
