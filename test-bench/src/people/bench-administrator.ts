import { randomBytes } from 'node:crypto';
import type { createRoleService } from '@platform/auth-service/roles/roles-service';
import { type Clients, expectStatus } from './clients.ts';

/** The back office wants a proof of the last 15 minutes for some operations. */
const SESSION_MILLISECONDS = 10 * 60_000;
/** After this, the hour of the limit of platform roles is over. */
const HOUR_SECONDS = 3_601;

type Dependencies = {
  clients: Clients;
  /** From which the test bench itself comes. */
  network: string;
  domain: string;
  verifyEmail: (email: string, password: string) => Promise<void>;
  assignRole: ReturnType<typeof createRoleService>['assignRole'];
  age: (id: string, seconds: number) => Promise<unknown>;
};

const CONTEXT = { requestId: 'test-bench', address: 'test bench' };

/** The ADMIN of the test bench, who blocks and invites people, and belongs to no label. */
export const createBenchAdministrator = (dependencies: Dependencies) => {
  const { clients, network, domain, verifyEmail, assignRole, age } = dependencies;
  const email = `test-bench-${randomBytes(6).toString('hex')}@${domain}`;
  const password = randomBytes(24).toString('base64url');
  const client = clients.ofAccounts('ADMIN', network);

  const signUp = async (): Promise<string> => {
    const body = { email, password };
    const { user } = await expectStatus(201, clients.ofAccounts('customer', network).signUp({ body }));
    await verifyEmail(email, password);
    await assignRole(email, 'ADMIN', CONTEXT);
    return user.id;
  };
  let id: Promise<string> | undefined;
  let session: { token: Promise<string>; until: number } | undefined;

  const findId = (): Promise<string> => {
    id ??= signUp().catch((error: unknown) => {
      id = undefined;
      throw error;
    });
    return id;
  };
  const signIn = async (): Promise<string> => {
    await findId();
    return (await client.openDevice({ email, password }, 'test-bench')).accessToken;
  };

  return {
    /** A client of the back office with a recent sign-in. */
    open: async () => {
      if (!session || session.until < Date.now())
        session = { token: signIn(), until: Date.now() + SESSION_MILLISECONDS };
      const { token } = session;
      const accessToken = await token.catch((error: unknown) => {
        session = undefined;
        throw error;
      });
      return clients.ofBackOffice(accessToken, network);
    },

    /** Lets an hour pass for this ADMIN, who may then give further platform roles. */
    passHour: async (): Promise<void> => {
      await age(await findId(), HOUR_SECONDS);
      session = undefined;
    },
  };
};

export type BenchAdministrator = ReturnType<typeof createBenchAdministrator>;
