import { randomBytes } from 'node:crypto';
import type { createRoleService } from '@platform/auth-service/roles/roles-service';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { totpCode } from '@platform/shared/testing/totp';
import { type BackOfficeClient, type Clients, expectStatus } from './clients.ts';
import { addApp } from './factors.ts';
import { createTurns } from './turns.ts';

/** The back office wants a proof of the last 15 minutes for some operations. */
const SESSION_MILLISECONDS = 10 * 60_000;
/** After this, the hour of the limit of platform roles is over. */
const HOUR_SECONDS = 3_601;

type Dependencies = {
  clients: Clients;
  /** From which the test bench itself comes. */
  network: string;
  domain: string;
  /** Signs the customer in, and verifies the address. Returns the session. */
  openVerified: (email: string, password: string) => Promise<Device>;
  assignRole: ReturnType<typeof createRoleService>['assignRole'];
  age: (id: string, seconds: number) => Promise<unknown>;
};

type Account = { id: string; email: string; secret: string };

const CONTEXT = { requestId: 'test-bench', address: 'test bench' };

/** The ADMIN of the test bench, who blocks and invites people, and belongs to no label. */
export const createBenchAdministrator = (dependencies: Dependencies) => {
  const { clients, network, domain, openVerified, assignRole, age } = dependencies;
  const password = randomBytes(24).toString('base64url');
  const client = clients.ofAccounts('ADMIN', network);

  /** The ADMIN gets an app, because SECOND_FACTOR_REQUIRED_FOR may demand a second factor. */
  const signUp = async (): Promise<Account> => {
    const email = `test-bench-${randomBytes(6).toString('hex')}@${domain}`;
    const customer = clients.ofAccounts('customer', network);
    const { user } = await expectStatus(201, customer.signUp({ body: { email, password } }));
    const device = await openVerified(email, password);
    const { app } = await addApp(customer, { ...device, currentPassword: password });
    await assignRole(email, 'ADMIN', CONTEXT);
    return { id: user.id, email, secret: app.secret };
  };
  let account: Account | undefined;
  let session: { token: string; until: number } | undefined;

  const signIn = async (): Promise<string> => {
    account ??= await signUp();
    const { email, secret } = account;
    const { challenge, fingerprint } = await client.startSignIn({ email, password }, 'test-bench');
    const body = { challenge, totpCode: totpCode(secret) };
    return client.toDevice(await client.signInSecondFactor({ fingerprint, body })).accessToken;
  };

  const open = async () => {
    if (!session || session.until < Date.now())
      session = { token: await signIn(), until: Date.now() + SESSION_MILLISECONDS };
    return clients.ofBackOffice(session.token, network);
  };

  /** Lets an hour pass for this ADMIN, who may then give further platform roles. It ends the session, too. */
  const passHour = async (): Promise<void> => {
    if (account) await age(account.id, HOUR_SECONDS);
    session = undefined;
  };

  // One request after the other, so that none has the session that an hour has ended.
  const takeTurn = createTurns(1);

  return {
    /** Sends a request to the back office, with a recent sign-in; once more if too many roles were given. */
    send: (request: (client: BackOfficeClient) => Promise<HttpResponse>): Promise<HttpResponse> =>
      takeTurn(async () => {
        const response = await request(await open());
        if (response.status !== 429) return response;
        await passHour();
        return await request(await open());
      }),
  };
};

export type BenchAdministrator = ReturnType<typeof createBenchAdministrator>;
