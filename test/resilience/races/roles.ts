import { createRoleService } from '@platform/auth-service/accounts/administrators-service';
import { bindStores } from '@platform/auth-service/stores';
import { NO_LOG } from '@platform/shared/db/command-database';
import { connectDatabase } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/testing/auth-client';
import { runScript } from '@platform/shared/testing/process';
import { checkAudit, type Race, type RaceFixture } from './fixture.ts';

/** The command takes half a second to start: most rounds call its service directly, on three connections. */
const COMMAND_ROUNDS = 10;

/** Returns OK or the error code. */
type Assign = (email: string, role: PlatformRole) => Promise<string>;

const createCommandAssign =
  (databaseUrl: string): Assign =>
  async (email, role) => {
    const environment = { DATABASE_URL: databaseUrl, ADMIN_ALLOWED_DOMAINS: 'example.com' };
    const { code, output } = await runScript(
      'auth-service/src/run-role-assign.ts',
      [email, role],
      environment,
    );
    return code === 0 ? 'OK' : (output.split(':', 1)[0] ?? '');
  };

const createDirectAssign = (databaseUrl: string) => {
  const { database, close } = connectDatabase({
    url: databaseUrl,
    applicationName: 'role-assign',
    maxConnections: PLATFORM_ROLES.length,
    onError: () => undefined,
  });
  const roles = createRoleService({
    inTransaction: bindStores(database, NO_LOG).inTransaction,
    adminAllowedDomains: ['example.com'],
  });
  const assign: Assign = async (email, role) => {
    try {
      await roles.assignRole(email, role, { requestId: 'race', address: 'race' });
      return 'OK';
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  };
  return { assign, close };
};

/** The three platform roles for one user: by the command, and by the service that it calls. */
export const createRoleRace = (fixture: RaceFixture): Race => {
  const { stack, records } = fixture;
  const direct = createDirectAssign(stack.databaseUrl);
  const byCommand = createCommandAssign(stack.databaseUrl);
  return {
    name: `role assignment (${COMMAND_ROUNDS} rounds by the command)`,
    concurrency: PLATFORM_ROLES.length,
    run: async (check, round) => {
      const { email, userId } = await fixture.signUpVerified();
      const assign = round < COMMAND_ROUNDS ? byCommand : direct.assign;
      const results = await Promise.all(PLATFORM_ROLES.map((role) => assign(email, role)));
      const sorted = results.toSorted().join(', ');
      check(sorted === 'OK, PLATFORM_ROLE_TAKEN, PLATFORM_ROLE_TAKEN', 'one role is assigned', sorted);
      const roles = await records.query<{ role: string }>(
        `select role from user_roles where user_id = $1 and role <> 'CUSTOMER'`,
        [userId],
      );
      const assigned = PLATFORM_ROLES[results.indexOf('OK')];
      check(roles.length === 1 && roles[0]?.role === assigned, 'the user has this role alone', roles.length);
      await checkAudit(fixture, check, 'ROLE_ASSIGNED', userId);
      return results;
    },
    close: direct.close,
  };
};
