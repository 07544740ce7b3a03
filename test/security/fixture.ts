import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  EMPLOYEE,
  type PlatformRole,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { createHttpClient, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import type { Records } from '@platform/shared/testing/records';
import type { RunningStack } from '@platform/shared/testing/stack';
import { usePlatform } from '../system/use-platform.ts';

export const KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];

/** A user with a signed-in device, and a client of the kind's routes. */
export type User = {
  kind: AccountKind;
  id: string;
  email: string;
  password: string;
  device: Device;
  client: AuthClient;
};

export type RequestOptions = Omit<HttpRequest, 'path'>;

type Fixture = {
  url: string;
  stack: RunningStack['stack'];
  records: Records;
  inbox: InboxClient;
  send: (path: string, options?: RequestOptions) => Promise<HttpResponse>;
  client: (kind: AccountKind) => AuthClient;
  /** Creates an account and signs in; `role` applies to administrators. */
  createUser: (kind: AccountKind, role?: PlatformRole) => Promise<User>;
  /** Creates a user with a verified address, because second factors need one. */
  createVerifiedUser: (kind: AccountKind) => Promise<User>;
  /** All log lines of all processes so far. */
  logLines: () => Promise<string[]>;
};

const IDLE_SECONDS = 2;

/**
 * Calls the shared sendRaw with a shorter idle timeout, because a server keeps the connection of an
 * incomplete request open.
 */
export const sendRaw = (baseUrl: string, bytes: string): Promise<string> => {
  const connection = openRawConnection(baseUrl, { idleSeconds: IDLE_SECONDS });
  connection.write(bytes);
  return connection.closed;
};

const readLogs = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => /(gateway|service|worker)\.log$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
};

const createFixture = ({ stack, dataDir }: RunningStack, records: Records): Fixture => {
  const http = createHttpClient(stack.gatewayUrl);
  const client = (kind: AccountKind) => createAuthClient(stack.gatewayUrl, kind, http.send);
  const createUser: Fixture['createUser'] = async (kind, role = 'ADMIN') => {
    const own = client(kind);
    const { email } = await (kind === ADMINISTRATOR ? records.user([role]) : own.createAccount());
    const account = { kind, email, password: PASSWORD };
    const response = await own.signIn({ fingerprint: uniqueFingerprint(), body: account });
    return { ...account, id: response.body.user.id, device: own.toDevice(response), client: own };
  };
  return {
    url: stack.gatewayUrl,
    stack,
    records,
    inbox: createInboxClient(stack.inboxUrl),
    send: (path, options = {}) => http.send({ path, ...options }),
    client,
    createUser,
    createVerifiedUser: async (kind) => {
      const user = await createUser(kind);
      await records.verifyEmail(user.id);
      return user;
    },
    logLines: () => readLogs(dataDir),
  };
};

/** Uses the shared stack, whose gateway has a hundred times the limits of production. */
export const useFixture = (): (() => Fixture) => {
  const platform = usePlatform();
  let fixture: Fixture | undefined;
  return () => {
    fixture ??= createFixture(platform().running, platform().records);
    return fixture;
  };
};
