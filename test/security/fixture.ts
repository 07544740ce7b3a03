import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  accessHeaders,
  CUSTOMER,
  type Device,
  EMPLOYEE,
  type PlatformRole,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import {
  createHttpClient,
  formatStatus,
  getCookie,
  type HttpRequest,
  type HttpResponse,
} from '@platform/shared/testing/http-client';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { RunningStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';

export const KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];

/** A user with a signed-in device. */
export type User = { kind: AccountKind; id: string; email: string; password: string; device: Device };

export type RequestOptions = Omit<HttpRequest, 'path'>;

export type Fixture = {
  url: string;
  stack: RunningStack['stack'];
  records: Records;
  send: (path: string, options?: RequestOptions) => Promise<HttpResponse>;
  /** Creates an account and signs in; `role` applies to administrators. */
  createUser: (kind: AccountKind, role?: PlatformRole) => Promise<User>;
  signIn: (account: Omit<User, 'device' | 'id'>, fingerprint?: string) => Promise<HttpResponse>;
  /** All log lines of all processes so far. */
  logLines: () => Promise<string[]>;
  /** Prints the attack and its outcome, and counts whether the outcome is the expected one. */
  check: (holds: boolean, attack: string, outcome: HttpResponse | string) => void;
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

type SignInBody = { token: string; session: { id: string }; user: { id: string } };

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
  const client = createHttpClient(stack.gatewayUrl);
  const send: Fixture['send'] = (path, options = {}) => client.send({ path, ...options });
  const signIn: Fixture['signIn'] = ({ kind, email, password }, fingerprint = uniqueFingerprint()) =>
    send(`${kind.path}/sign-in`, {
      method: 'POST',
      headers: { 'X-Fingerprint': fingerprint },
      body: { email, password },
    });

  return {
    url: stack.gatewayUrl,
    stack,
    records,
    send,
    signIn,
    createUser: async (kind, role = 'ADMIN') => {
      const account = { kind, email: uniqueEmail(), password: PASSWORD };
      if (kind === ADMINISTRATOR) await records.user([role], { email: account.email });
      else
        await send(`${kind.path}/sign-up`, {
          method: 'POST',
          body: { email: account.email, password: PASSWORD },
        });
      const fingerprint = uniqueFingerprint();
      const response = await signIn(account, fingerprint);
      if (response.status !== 200)
        throw new Error(`${account.email} cannot sign in: ${formatStatus(response)}`);
      const { token, session, user } = response.body as SignInBody;
      const refreshToken = getCookie(response, kind.refreshCookie);
      return {
        ...account,
        id: user.id,
        device: { fingerprint, sessionId: session.id, accessToken: token, refreshToken },
      };
    },
    logLines: () => readLogs(dataDir),
    check: (holds, attack, outcome) =>
      report.check(holds, `${attack} → ${typeof outcome === 'string' ? outcome : formatStatus(outcome)}`),
    section: (title) => report.log(`\n${title}`),
    close: records.close,
  };
};

/** Both tokens of the session still work: it was neither rotated, revoked nor replaced. The check itself rotates them. */
export const isSessionUnchanged = async ({ send }: Fixture, user: User): Promise<boolean> => {
  const { kind, device } = user;
  const me = await send(`${kind.path}/me`, {
    headers: accessHeaders(device),
  });
  const refreshed = await send(`${kind.path}/refresh/token`, {
    headers: { ...refreshCookieHeader(user), ...deviceHeaders(user) },
  });
  if (refreshed.status === 200) {
    device.accessToken = (refreshed.body as { token: string }).token;
    device.refreshToken = getCookie(refreshed, kind.refreshCookie);
  }
  return me.status === 200 && refreshed.status === 200;
};
