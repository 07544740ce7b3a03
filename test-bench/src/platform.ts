import { bindTransactions } from '@platform/admin-service/stores';
import { createTeamService } from '@platform/admin-service/teams/teams-service';
import { createTeamList, createTeamStore } from '@platform/admin-service/teams/teams-store';
import { createFeatures } from '@platform/auth-service/compose';
import { createInfrastructure } from '@platform/auth-service/infrastructure';
import type { ConfirmedSignIn } from '@platform/auth-service/linking/linking';
import { createRoleService } from '@platform/auth-service/roles/roles-service';
import { bindStores } from '@platform/auth-service/stores';
import { createTransactionsBy } from '@platform/shared/platform/accounts/administrator-transaction';
import type { Runtime } from '@platform/shared/server/serve';
import type { TestBenchConfig } from './config.ts';

const noLists = (): never => {
  throw new Error('The test bench reads no lists');
};

/** The connections of the platform, and its functions that no public operation offers. */
export const createPlatform = ({ auth }: Pick<TestBenchConfig, 'auth'>, runtime: Runtime) => {
  const infrastructure = createInfrastructure(auth, runtime);
  const features = createFeatures(auth, infrastructure);
  const { database, redis } = infrastructure;
  const { inTransaction } = bindStores(database, runtime.log);
  const teams = createTeamService({
    stores: { teams: createTeamStore(database) },
    lists: { teams: createTeamList(noLists) },
    inTransaction: createTransactionsBy(bindTransactions(database, runtime.log)).inTransaction,
  });
  const { assignRole } = createRoleService({ inTransaction, adminAllowedDomains: auth.adminAllowedDomains });
  return {
    database,
    redis,
    checks: infrastructure.checks,
    assignRole,
    putTeam: teams.putTeam,
    /** Signs in with what a provider has confirmed. Returns the id of the account. */
    resolveIdentity: (confirmed: ConfirmedSignIn): Promise<string> =>
      inTransaction(async (stores) => {
        const found = await features.linking.linking.resolve(stores, confirmed, false);
        if ('rejection' in found) throw new Error(`The identity is rejected: ${found.rejection}`);
        return found.account.userId;
      }),
    close: async (): Promise<void> => {
      await features.passwords.hasher.close();
      await infrastructure.close();
    },
  };
};
