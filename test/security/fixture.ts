import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  CUSTOMER,
  type Device,
  EMPLOYEE,
  type PlatformRole,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import {
  createHttpClient,
  formatStatus,
  type HttpRequest,
  type HttpResponse,
} from '@platform/shared/testing/http-client';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { EnabledTotp } from '@platform/shared/testing/second-factor-client';
import type { RunningStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import { type AddedPasskey, createFactorClient, type FactorClient } from '../factor-client.ts';

export const KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];
export const INVALID = '401 SECOND_FACTOR_INVALID';

/** A user with a signed-in device, and a client of the kind's routes. */
export type User = {
  kind: AccountKind;
  id: string;
  email: string;
  password: string;
  device: Device;
  factors: FactorClient;
};
type FactorUser = User & { totp: EnabledTotp };
type PasskeyUser = User & { passkey: AddedPasskey };

export type RequestOptions = Omit<HttpRequest, 'path'>;
type Response = HttpResponse | Promise<HttpResponse>;

export type Fixture = {
  url: string;
  stack: RunningStack['stack'];
  records: Records;
  inbox: InboxClient;
  send: (path: string, options?: RequestOptions) => Promise<HttpResponse>;
  client: (kind: AccountKind) => FactorClient;
  /** Creates an account and signs in; `role` applies to administrators. */
  createUser: (kind: AccountKind, role?: PlatformRole) => Promise<User>;
  signIn: (account: Pick<User, 'kind' | 'email' | 'password'>, fingerprint?: string) => Promise<HttpResponse>;
  /** All log lines of all processes so far. */
  logLines: () => Promise<string[]>;
  /** Prints the attack and its outcome, and counts whether the outcome is the expected one. */
  check: (holds: boolean, attack: string, outcome: HttpResponse | string) => void;
  /** The attack is refused with this status and code, and sets no cookie. */
  refused: (attack: string, response: Response, expected: string) => Promise<void>;
  /** A legitimate request between attacks; the attacks would prove nothing if it failed. */
  accepted: (name: string, response: Response, status?: number) => Promise<void>;
  section: (title: string) => void;
};

export const refreshCookieHeader = ({ kind, device }: User): Record<string, string> => ({
  Cookie: `${kind.refreshCookie}=${device.refreshToken}`,
});
export const deviceHeaders = ({ device }: User): Record<string, string> => ({
  'X-Fingerprint': device.fingerprint,
  'X-Session-Id': device.sessionId,
});

const IDLE_SECONDS = 2;

/** As the shared sendRaw, with a shorter idle timeout: a server keeps the connection of an incomplete request open. */
export const sendRaw = (baseUrl: string, bytes: string): Promise<string> => {
  const connection = openRawConnection(baseUrl, { idleSeconds: IDLE_SECONDS });
  connection.write(bytes);
  return connection.closed;
};

/** `5 × 401 INVALID_CREDENTIALS, 15 × 429 RATE_LIMITED` */
export const countStatuses = (responses: readonly HttpResponse[]): string =>
  [...Map.groupBy(responses, formatStatus)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ');

const readLogs = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => /(gateway|service|worker)\.log$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
};

export const createFixture = (
  { stack, dataDir }: RunningStack,
  report: Report,
): Fixture & { close: () => Promise<void> } => {
  const records = createRecords(stack.databaseUrl);
  const http = createHttpClient(stack.gatewayUrl);
  const client = (kind: AccountKind) => createFactorClient(kind, http.send);
  const check: Fixture['check'] = (holds, attack, outcome) =>
    report.check(holds, `${attack} → ${typeof outcome === 'string' ? outcome : formatStatus(outcome)}`);
  return {
    url: stack.gatewayUrl,
    stack,
    records,
    inbox: createInboxClient(stack.inboxUrl),
    send: (path, options = {}) => http.send({ path, ...options }),
    client,
    signIn: ({ kind, email, password }, fingerprint = uniqueFingerprint()) =>
      client(kind).auth.signIn({ email, password }, fingerprint),
    createUser: async (kind, role = 'ADMIN') => {
      const factors = client(kind);
      const isAdministrator = kind === ADMINISTRATOR;
      const { email } = await (isAdministrator ? records.user([role]) : factors.auth.createAccount());
      const account = { kind, email, password: PASSWORD };
      const fingerprint = uniqueFingerprint();
      const response = await factors.auth.signIn({ email, password: PASSWORD }, fingerprint);
      const device = factors.auth.toDevice(response);
      return { ...account, id: response.body.user.id, device, factors };
    },
    logLines: () => readLogs(dataDir),
    check,
    refused: async (attack, pending, expected) => {
      const response = await pending;
      const isRefused = formatStatus(response) === expected && response.headers['set-cookie'] === undefined;
      check(isRefused, attack, response);
    },
    accepted: async (name, pending, status = 200) => {
      const response = await pending;
      check(response.status === status, name, response);
    },
    section: (title) => report.log(`\n${title}`),
    close: records.close,
  };
};

/** Both tokens of the session still work: it was neither rotated, revoked nor replaced. The check itself rotates them. */
export const isSessionUnchanged = async ({ device, factors: { auth } }: User): Promise<boolean> => {
  const [me, refreshed] = [await auth.me(device), await auth.refresh(device)];
  if (refreshed.status === 200) Object.assign(device, auth.afterRefresh(device, refreshed));
  return me.status === 200 && refreshed.status === 200;
};

/** Second factors need a verified address. */
export const createVerifiedUser = async (fixture: Fixture, kind: AccountKind): Promise<User> => {
  const user = await fixture.createUser(kind);
  await fixture.records.verifyEmail(user.id);
  return user;
};

export const createFactorUser = async (fixture: Fixture, kind: AccountKind): Promise<FactorUser> => {
  const user = await createVerifiedUser(fixture, kind);
  return { ...user, totp: await user.factors.enableTotp(user.device) };
};

export const createPasskeyUser = async (fixture: Fixture, kind: AccountKind): Promise<PasskeyUser> => {
  const user = await createVerifiedUser(fixture, kind);
  return { ...user, passkey: await user.factors.addPasskey(user.device) };
};

export const openChallenge = async (user: User): Promise<{ challenge: string; fingerprint: string }> => {
  const fingerprint = uniqueFingerprint();
  return { fingerprint, challenge: await user.factors.openChallenge(user, fingerprint) };
};

/** Simulates that five minutes have passed since the last code, so that the codes of now are new. */
export const passTotpSteps = async ({ records }: Fixture, userId: string): Promise<void> => {
  await records.query('update totp_factors set last_used_step = last_used_step - 10 where user_id = $1', [
    userId,
  ]);
};
