import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { bearer, type Scene } from './fixture.ts';
import { show } from './web-client.ts';

const rolesOf = async ({ records }: Scene, userId: string): Promise<string> => {
  const rows = await records.query<{ role: string }>(
    'select role from user_roles where user_id = $1 order by role',
    [userId],
  );
  return rows.map(({ role }) => role).join(', ');
};

/** A stranger signs up with the address that an operator is about to make ADMIN. */
const tryUnverifiedAddress = async (scene: Scene): Promise<void> => {
  scene.section('Role assignment to an account that somebody else may have created: refused');
  const { id, email } = await scene.person(CUSTOMER);
  const databaseUrl = { DATABASE_URL: scene.stack.databaseUrl };
  const domains = { ADMIN_ALLOWED_DOMAINS: 'example.com' };
  for (const [tried, environment, expected] of [
    ['an address that was never verified', { ...databaseUrl, ...domains }, 'EMAIL_NOT_VERIFIED'],
    ['no list of domains', databaseUrl, 'ADMIN_ALLOWED_DOMAINS'],
    ['a list without a domain', { ...databaseUrl, ADMIN_ALLOWED_DOMAINS: ',' }, 'ADMIN_ALLOWED_DOMAINS'],
  ] as const) {
    const { code, output } = await runScript(
      'auth-service/src/run-role-assign.ts',
      [email, 'ADMIN'],
      environment,
    );
    const roles = await rolesOf(scene, id);
    const isRefused = code === 1 && output.startsWith(expected) && roles === 'CUSTOMER';
    scene.check(isRefused, tried, `${output.trim()} (exit code ${code}), roles: ${roles}`);
  }
};

/** The access token outlives the role that it claims. */
const tryRemovedRole = async (scene: Scene): Promise<void> => {
  scene.section('An administrator whose role was removed, with the access token from before: no power left');
  const victim = await scene.records.user(['CUSTOMER'], { email: uniqueEmail() });
  for (const [what, change] of [
    ['removed', 'delete from user_roles where user_id = $1'],
    ['changed to OPERATOR', "update user_roles set role = 'OPERATOR' where user_id = $1"],
  ] as const) {
    const admin = await scene.person(ADMINISTRATOR);
    await scene.records.query(change, [admin.id]);
    for (const [method, path] of [
      ['GET', '/api/v1/users'],
      ['GET', '/api/v1/administrator/me'],
      ['GET', '/api/v1/administrator/audit-log'],
      ['PATCH', `/api/v1/users/${victim.id}/block`],
    ] as const) {
      const headers = bearer(admin.device.accessToken);
      const response = await scene.send(path, { method, headers });
      scene.check(response.status === 403, `role ${what}: ${method} ${path}`, show(response));
    }
    const register = await scene.send('/api/v1/auth/admin/register', {
      method: 'POST',
      headers: bearer(admin.device.accessToken),
      body: { email: uniqueEmail(), password: 'a long passphrase of mine' },
    });
    scene.check(register.status === 403, `role ${what}: POST /auth/admin/register`, show(register));
  }
};

/** What gives or keeps the rights of an administrator without the will of one. */
export const attackPrivilege = async (scene: Scene): Promise<void> => {
  await tryUnverifiedAddress(scene);
  await tryRemovedRole(scene);
};
