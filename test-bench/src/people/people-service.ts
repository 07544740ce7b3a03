import { randomBytes } from 'node:crypto';
import type { Device } from '@platform/shared/testing/device';
import type { Clients } from './clients.ts';
import { addApp, addPasskey } from './factors.ts';
import type { Making } from './making.ts';
import { createFingerprint, isRole, type NewPerson, type Person, requireFitting } from './person.ts';
import type { Registrations } from './registrations.ts';
import type { States } from './states.ts';
import { createTurns } from './turns.ts';

type Dependencies = {
  clients: Clients;
  /** An own client network for each person, so that the limits of one do not concern another. */
  addNetwork: (label: string) => Promise<string>;
  registrations: Registrations;
  states: States;
  config: { domain: string; passkeyOrigin: string };
};

/** Half of the passwords that may wait for a hash, so that tests can sign in meanwhile. */
const PEOPLE_AT_ONCE = 32;

/** States in which no session is left. */
const ENDED: readonly NewPerson['is'][] = ['blocked', 'deleted', 'role-removed'];

const toSession = ({ accessToken: token, refreshToken, sessionId, fingerprint }: Device) => ({
  token,
  sessionId,
  fingerprint,
  refreshToken,
});

export const createPeopleService = (dependencies: Dependencies) => {
  const { clients, addNetwork, registrations, states, config } = dependencies;

  const signIn = async ({ wanted, client, person }: Making): Promise<Device> => {
    const { email, password } = person;
    const staySignedIn = wanted.with.includes('stay');
    const body = { email, password, ...(staySignedIn && { staySignedIn }) };
    return client.toDevice(await client.signIn({ fingerprint: createFingerprint(), body }));
  };

  const addFactors = async ({ wanted, client, person }: Making, device: Device): Promise<void> => {
    const access = { ...device, currentPassword: person.password ?? '' };
    if (wanted.with.includes('passkey'))
      person.passkey = { credential: await addPasskey(client, access, config.passkeyOrigin) };
    if (wanted.with.includes('app')) Object.assign(person, await addApp(client, access));
  };

  /** A person with an account and a password. */
  const makeAccount = async (making: Making): Promise<void> => {
    const { wanted, client, person } = making;
    await registrations.register(making);
    const device = await signIn(making);
    if (!isRole(wanted.kind) && wanted.is !== 'unverified')
      await registrations.verify(client, device, person.email);
    await addFactors(making, device);
    await states[wanted.is]?.(making, device);
    if (!ENDED.includes(wanted.is)) person.session = toSession(device);
  };

  const make = async (wanted: NewPerson): Promise<Person> => {
    const { label, kind, language } = wanted;
    const network = await addNetwork(label);
    const email = `${label}-${randomBytes(6).toString('hex')}@${config.domain}`;
    const person: Person = { id: '', label, kind, email, network };
    const making = { wanted, client: clients.ofAccounts(kind, network, language), person };
    if (wanted.is === 'invited') await registrations.invite(making);
    else if (wanted.is === 'provider-only') await registrations.signUpAtProvider(making);
    else await makeAccount(making);
    return person;
  };
  const takeTurn = createTurns(PEOPLE_AT_ONCE);

  return {
    /** @throws AppError 400 for a word that does not fit the kind */
    create: async (wanted: NewPerson): Promise<Person> => {
      requireFitting(wanted);
      return await takeTurn(() => make(wanted));
    },
  };
};

export type PeopleService = ReturnType<typeof createPeopleService>;
