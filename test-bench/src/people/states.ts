import { randomBytes, randomUUID } from 'node:crypto';
import type { NewTeam } from '@platform/admin-service/teams/team';
import type { ByService } from '@platform/shared/platform/access/by';
import type { Device } from '@platform/shared/testing/device';
import type { BenchAdministrator } from './bench-administrator.ts';
import { type Clients, expectStatus } from './clients.ts';
import type { Making } from './making.ts';
import type { NewPerson } from './person.ts';

type Dependencies = {
  clients: Clients;
  administrator: BenchAdministrator;
  addNetwork: (label: string) => Promise<string>;
  putTeam: (id: string, team: NewTeam, by: ByService) => Promise<unknown>;
};

type Change = (making: Making, device: Device) => Promise<void>;
export type States = Partial<Record<NewPerson['is'], Change>>;

/** A pause begins after a hundred failures, and a network waits after five. */
const PAUSE = { networks: 20, failures: 5 };

/** Each function brings a new account into one state. */
export const createStates = ({ clients, administrator, addNetwork, putTeam }: Dependencies): States => ({
  blocked: async ({ person }) => {
    await expectStatus(
      200,
      administrator.send((client) => client.blockUser({ id: person.id })),
    );
  },

  paused: async ({ wanted, person }) => {
    const { label, email } = person;
    const body = { email, password: randomBytes(12).toString('base64url') };
    const guess = async (network: string): Promise<void> => {
      const client = clients.ofAccounts(wanted.kind, network);
      for (let failure = 0; failure < PAUSE.failures; failure += 1)
        await expectStatus(401, client.signIn({ fingerprint: randomUUID(), body }));
    };
    // One after the other, so that as many failures are recorded as by hand: twenty an hour.
    for (let network = 0; network < PAUSE.networks; network += 1) await guess(await addNetwork(label));
  },

  deleted: async ({ client, person }, device) => {
    const body = { currentPassword: person.password };
    await expectStatus(204, client.accountDelete({ ...device, body }));
  },

  'role-removed': async ({ person }) => {
    await expectStatus(
      204,
      administrator.send((client) => client.removePlatformRole({ id: person.id })),
    );
  },

  'last-team-administrator': async ({ client, person }, device) => {
    const { user } = await expectStatus(200, client.me(device));
    const name = `Team of ${person.email}`;
    const texts = { slug: null, bio: null, externalExperience: null };
    const by = { service: 'test-bench', context: { requestId: 'test-bench', address: person.network } };
    await putTeam(randomUUID(), { name, administratorId: user.employeeId, ...texts }, by);
  },
});
