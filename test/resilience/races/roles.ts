import { createRoleService } from '@platform/auth-service/accounts/administrators-service';
import { createStores } from '@platform/auth-service/stores';
import { connectDatabase, createInTransaction } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/testing/auth-client';
import { runScript } from '@platform/shared/testing/process';
import { countAudit, type Member, type Scene } from './fixture.ts';
import { createJudge, type Judge, type Race } from './race.ts';

/** A start of the command takes half a second: most rounds call what it calls, on three connections. */
const PROCESS_ROUNDS = 10;

/** Assigns a role and says how that ended: OK or the code of the refusal. */
type Assign = (email: string, role: PlatformRole) => Promise<string>;

const createProcessAssign =
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
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: 'role-assign',
    maxConnections: PLATFORM_ROLES.length,
    onError: () => undefined,
  });
  const roles = createRoleService({
    inTransaction: createInTransaction(database, createStores),
    requireAllowedDomain: () => undefined,
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
  return { assign, close: database.close };
};

const expectOneRole = async (scene: Scene, { userId }: Member, { expect }: Judge, ends: string[]) => {
  const verdicts = ends.toSorted().join(', ');
  expect(verdicts === 'OK, PLATFORM_ROLE_TAKEN, PLATFORM_ROLE_TAKEN', 'one role is assigned', verdicts);
  const roles = await scene.records.query<{ role: string }>(
    `select role from user_roles where user_id = $1 and role <> 'CUSTOMER'`,
    [userId],
  );
  const given = PLATFORM_ROLES[ends.indexOf('OK')];
  expect(roles.length === 1 && roles[0]?.role === given, 'the user holds it alone', roles.length);
  const audited = await countAudit(scene, 'ROLE_ASSIGNED', userId);
  expect(audited === 1, 'the audit trail has it once', audited);
};

/** The three platform roles for one user in the same instant: by the command, and by what it calls. */
export const createRoleRace = (scene: Scene): Race & { close: () => Promise<void> } => {
  const { databaseUrl } = scene.stack;
  const direct = createDirectAssign(databaseUrl);
  const byProcess = createProcessAssign(databaseUrl);
  return {
    name: `role assignment (${PROCESS_ROUNDS} rounds as processes)`,
    atOnce: PLATFORM_ROLES.length,
    run: async (round) => {
      const judge = createJudge();
      const member = await scene.signUp();
      await scene.records.query('update users set is_email_verified = true where id = $1', [member.userId]);
      const assign = round < PROCESS_ROUNDS ? byProcess : direct.assign;
      const ends = await Promise.all(PLATFORM_ROLES.map((role) => assign(member.email, role)));
      await expectOneRole(scene, member, judge, ends);
      return { ends, violations: judge.violations };
    },
    close: direct.close,
  };
};
