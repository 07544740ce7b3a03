import { bindTransactions } from '@platform/admin-service/stores';
import { createTeamService } from '@platform/admin-service/teams/teams-service';
import { createTeamList, createTeamStore } from '@platform/admin-service/teams/teams-store';
import { createFeatures } from '@platform/auth-service/compose';
import { createInfrastructure } from '@platform/auth-service/infrastructure';
import type { ConfirmedSignIn } from '@platform/auth-service/linking/linking';
import { createRoleService } from '@platform/auth-service/roles/roles-service';
import type { SignInDevice } from '@platform/auth-service/sessions/session';
import type { SignedIn } from '@platform/auth-service/sign-in/sign-in';
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
    /** Signs in with what a provider has confirmed. */
    signInAtProvider: async (confirmed: ConfirmedSignIn, device: SignInDevice): Promise<SignedIn> => {
      const result = await features.signIn.providerSignIn.open(confirmed, device);
      if ('signedIn' in result) return result.signedIn;
      throw new Error(`No session for what the provider confirms: ${JSON.stringify(result)}`);
    },
    close: async (): Promise<void> => {
      await features.passwords.hasher.close();
      await infrastructure.close();
    },
  };
};
