import { type AccountKind, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';

export type Account = { kind: AccountKind; email: string; password: string };

/**
 * A simulated user with one device. A user without an account signs up next; one without a session signs in.
 */
export type User = {
  kind: AccountKind;
  fingerprint: string;
  account: Account | undefined;
  device: Device | undefined;
};

/**
 * The writes that the platform has acknowledged and must never lose. If a later request ended without an
 * acknowledgement, both outcomes are correct, and there is more than one password or title.
 */
export const createExpectedState = () => ({
  /** The keys are e-mail addresses. */
  accounts: new Map<string, { account: Account; passwords: string[]; at: number }>(),
  /** The keys are fingerprints. Each user has the newest pair of tokens. */
  sessions: new Map<string, { user: User; at: number }>(),
  /** The keys are project ids. */
  titles: new Map<string, { titles: string[]; at: number }>(),
  /** The keys are user ids. */
  blocks: new Map<string, { isBlocked: boolean; at: number }>(),
  /** The keys are team ids. */
  verifiedTeams: new Map<string, { at: number }>(),
  /** The keys are recipients of notices or markers in contact forms. */
  mails: new Map<string, { at: number }>(),
  /** The keys are recipients. These mails exist only in Redis. */
  codeMails: new Map<string, { at: number }>(),
  /** The number of all acknowledged writes, including superseded ones. */
  acknowledgedWrites: 0,
});

export type ExpectedState = ReturnType<typeof createExpectedState>;

const CONCURRENCY = 8;

/** Checks every item; returns the problems. */
const checkAll = async <Item>(
  items: readonly Item[],
  check: (item: Item) => Promise<string | undefined>,
): Promise<string[]> => {
  const queue = [...items];
  const problems: string[] = [];
  const work = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
      const problem = await check(item);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return problems;
};

type CheckOptions = { client: HttpClient; expectedState: ExpectedState; adminToken: string };

/** Reads the acknowledged writes through the public API, and returns those that are lost. */
export const createLostWriteFinder = ({ client, expectedState, adminToken }: CheckOptions) => {
  const { accounts, sessions, titles, blocks, verifiedTeams } = expectedState;
  /**
   * Only a response shows whether a write is lost, so a request that a slow machine does not serve is
   * repeated.
   */
  const send: HttpClient['send'] = (call) =>
    waitFor(`a response to ${call.path}`, async () => {
      const response = await client.send(call);
      return response.status > 0 && response.status < 500 && response;
    });
  const authClient = (kind: AccountKind) => createAuthClient(client.baseUrl, kind, send);

  const checkAccount = async ({ account, passwords }: { account: Account; passwords: string[] }) => {
    const { kind, email } = account;
    const results: string[] = [];
    for (const password of passwords) {
      const response = await authClient(kind).signIn({
        fingerprint: uniqueFingerprint(),
        body: { email, password },
      });
      if (response.status === 200) return undefined;
      results.push(formatStatus(response));
    }
    return `${email}: sign-in returns ${results.join(', ')}`;
  };

  /** The refresh rotates the tokens, so the user gets the new ones. */
  const checkSession = async ({ user }: { user: User }) => {
    const { kind, device, fingerprint } = user;
    if (!device) return undefined;
    const { me, refreshToken, afterRefresh } = authClient(kind);
    const current = await me(device);
    if (current.status !== 200) return `session of ${fingerprint}: me returns ${formatStatus(current)}`;
    const refreshed = await refreshToken(device);
    if (refreshed.status !== 200)
      return `session of ${fingerprint}: refresh returns ${formatStatus(refreshed)}`;
    user.device = afterRefresh(device, refreshed);
    return undefined;
  };

  const readAsAdmin = (path: string) =>
    send({ path: `/api/v1/${path}`, headers: { Authorization: `Bearer ${adminToken}` } });

  const checkTitle = async ({ id, titles }: { id: string; titles: string[] }) => {
    const response = await readAsAdmin(`projects/${id}`);
    if (response.status !== 200) return `project ${id}: ${formatStatus(response)}`;
    const { title } = response.body;
    return titles.includes(title) ? undefined : `project ${id}: "${title}" is none of ${titles.join(', ')}`;
  };

  const checkBlock = async ({ id, isBlocked }: { id: string; isBlocked: boolean }) => {
    const response = await readAsAdmin(`users/${id}`);
    if (response.status !== 200) return `user ${id}: ${formatStatus(response)}`;
    return response.body.isBlocked === isBlocked ? undefined : `user ${id}: isBlocked is not ${isBlocked}`;
  };

  const checkTeam = async ({ id }: { id: string }) => {
    const response = await readAsAdmin(`administrator/teams/${id}`);
    if (response.status !== 200) return `team ${id}: ${formatStatus(response)}`;
    return response.body.status === 'ACTIVE' ? undefined : `team ${id} is ${response.body.status}`;
  };

  return async (since: number): Promise<string[]> => {
    const listSince = <Entry extends { at: number }>(entries: Map<string, Entry>) =>
      [...entries].filter(([, { at }]) => at >= since).map(([id, entry]) => ({ id, ...entry }));
    return [
      ...(await checkAll(listSince(accounts), checkAccount)),
      ...(await checkAll(listSince(sessions), checkSession)),
      ...(await checkAll(listSince(titles), checkTitle)),
      ...(await checkAll(listSince(blocks), checkBlock)),
      ...(await checkAll(listSince(verifiedTeams), checkTeam)),
    ];
  };
};
