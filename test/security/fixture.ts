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
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { RunningStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import { type Answer, createWebClient, show, type WebClient } from './web-client.ts';

export const KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];

/** Somebody who is signed in. */
export type Person = { kind: AccountKind; id: string; email: string; password: string; device: Device };

export type Scene = {
  url: string;
  stack: RunningStack['stack'];
  records: Records;
  send: WebClient;
  /** Somebody new of the kind, signed in; administrators with the role named. */
  person: (kind: AccountKind, role?: PlatformRole) => Promise<Person>;
  signIn: (who: Omit<Person, 'device' | 'id'>, fingerprint?: string) => Promise<Answer>;
  /** The lines of every process's log so far. */
  logLines: () => Promise<string[]>;
  /** Prints what was tried and what was answered, and counts whether that is right. */
  check: (holds: boolean, tried: string, answered: Answer | string) => void;
  section: (title: string) => void;
};

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
export const cookieOf = ({ kind, device }: Person): Record<string, string> => ({
  Cookie: `${kind.refreshCookie}=${device.refreshToken}`,
});
export const deviceHeaders = ({ device }: Person): Record<string, string> => ({
  'X-Fingerprint': device.fingerprint,
  'X-Session-Id': device.sessionId,
});

const readCookie = ({ headers }: Answer, name: string): string => {
  const line = headers['set-cookie']?.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
  return line.slice(name.length + 1).split(';', 1)[0] ?? '';
};

type SignedIn = { token: string; session: { id: string }; user: { id: string } };

const readLogs = async (dataDir: string): Promise<string[]> => {
  const folder = join(dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => /(gateway|service|worker)\.log$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
};

export const createScene = (
  { stack, dataDir }: RunningStack,
  report: Report,
): Scene & { close: () => Promise<void> } => {
  const records = createRecords(stack.databaseUrl);
  const send = createWebClient(stack.gatewayUrl);
  const signIn: Scene['signIn'] = ({ kind, email, password }, fingerprint = uniqueFingerprint()) =>
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
    person: async (kind, role = 'ADMIN') => {
      const given = { kind, email: uniqueEmail(), password: PASSWORD };
      if (kind === ADMINISTRATOR) await records.user([role], { email: given.email });
      else
        await send(`${kind.path}/sign-up`, {
          method: 'POST',
          body: { email: given.email, password: PASSWORD },
        });
      const fingerprint = uniqueFingerprint();
      const answer = await signIn(given, fingerprint);
      if (answer.status !== 200) throw new Error(`${given.email} cannot sign in: ${show(answer)}`);
      const { token, session, user } = answer.body as SignedIn;
      const refreshToken = readCookie(answer, kind.refreshCookie);
      return {
        ...given,
        id: user.id,
        device: { fingerprint, sessionId: session.id, accessToken: token, refreshToken },
      };
    },
    logLines: () => readLogs(dataDir),
    check: (holds, tried, answered) =>
      report.check(holds, `${tried} → ${typeof answered === 'string' ? answered : show(answered)}`),
    section: (title) => report.log(`\n${title}`),
    close: records.close,
  };
};

/** The session works still, with both of its tokens as they were: nothing has rotated, revoked or replaced it. */
export const isUntouched = async ({ send }: Scene, person: Person): Promise<boolean> => {
  const { kind, device } = person;
  const me = await send(`${kind.path}/me`, {
    headers: { ...bearer(device.accessToken), ...deviceHeaders(person) },
  });
  const refreshed = await send(`${kind.path}/refresh/token`, {
    headers: { ...cookieOf(person), ...deviceHeaders(person) },
  });
  if (refreshed.status === 200) {
    device.accessToken = (refreshed.body as { token: string }).token;
    device.refreshToken = readCookie(refreshed, kind.refreshCookie);
  }
  return me.status === 200 && refreshed.status === 200;
};
