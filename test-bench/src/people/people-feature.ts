import type { createTeamService } from '@platform/admin-service/teams/teams-service';
import type { createRoleService } from '@platform/auth-service/roles/roles-service';
import type { Device } from '@platform/shared/testing/device';
import type { LabelledAccountService } from '../accounts/accounts-service.ts';
import type { TestBenchConfig } from '../config.ts';
import type { AgeService } from '../time/age-service.ts';
import { createBenchAdministrator } from './bench-administrator.ts';
import { createClients } from './clients.ts';
import { createPeopleService } from './people-service.ts';
import { createRegistrations } from './registrations.ts';
import { createStates } from './states.ts';

type Dependencies = {
  config: Pick<TestBenchConfig, 'publicUrl'> & {
    proxy: Pick<TestBenchConfig['proxy'], 'gatewayUrl'>;
    auth: Pick<TestBenchConfig['auth'], 'adminAllowedDomains' | 'webauthn' | 'oidc'>;
  };
  accounts: Pick<LabelledAccountService, 'add'>;
  addNetwork: (label: string) => Promise<string>;
  age: AgeService['age'];
  assignRole: ReturnType<typeof createRoleService>['assignRole'];
  putTeam: ReturnType<typeof createTeamService>['putTeam'];
} & Pick<Parameters<typeof createRegistrations>[0], 'untilMail' | 'signInAtProvider'>;

/** The test bench itself sends from this network (RFC 5737), which belongs to no label. */
const OWN_NETWORK = '198.51.100.1';
const DEFAULT_DOMAIN = 'example.com';
/** RFC 2606 reserves them. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid)$/;
/** Allowed in development. */
const DEFAULT_ORIGIN = 'http://localhost:5173';

/** Administrators need an address of an allowed domain. The pages may be switched off, and with them their origin. */
const toSettings = ({ publicUrl, auth }: Dependencies['config']) => {
  const origin = publicUrl && new URL(publicUrl).origin;
  return {
    domain: auth.adminAllowedDomains.find((domain) => RESERVED.test(domain)) ?? DEFAULT_DOMAIN,
    passkeyOrigin: origin && auth.webauthn?.isAllowedOrigin(origin) ? origin : DEFAULT_ORIGIN,
  };
};

export const createPeopleFeature = (dependencies: Dependencies) => {
  const { config, accounts } = dependencies;
  const { providers } = config.auth.oidc;
  const settings = toSettings(config);
  const clients = createClients(config.proxy.gatewayUrl);
  const openVerified = async (email: string, password: string): Promise<Device> => {
    const client = clients.ofAccounts('customer', OWN_NETWORK);
    const device = await client.openDevice({ email, password });
    await registrations.verify(client, device, email);
    return device;
  };
  const administrator = createBenchAdministrator({
    ...dependencies,
    clients,
    network: OWN_NETWORK,
    domain: settings.domain,
    openVerified,
  });
  const registrations = createRegistrations({
    ...dependencies,
    administrator,
    providers,
    addAccount: accounts.add,
  });
  const states = createStates({ ...dependencies, clients, administrator });
  const people = createPeopleService({ ...dependencies, config: settings, clients, registrations, states });
  return { create: people.create, close: clients.close };
};
