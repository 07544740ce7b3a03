import {
  type AccountKind,
  type AuthClient,
  CUSTOMER,
  createAuthClient,
} from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { createHttpClient, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { StackFile } from '@platform/shared/testing/stack';

/** Records a violated invariant. `actual` is printed with it. */
export type Check = (holds: boolean, invariant: string, actual?: unknown) => void;

/** Concurrent requests to one resource, repeated. */
export type Race = {
  /** Resolves with the results of the requests. */
  run: (check: Check, round: number) => Promise<readonly (HttpResponse | string)[]>;
};

export type Member = { kind: AccountKind; email: string; password: string; userId: string };

/** Requests fail without a complete response. */
export type RaceFixture = {
  stack: StackFile;
  records: Records;
  inbox: InboxClient;
  send: HttpClient['send'];
  client: (kind: AccountKind) => AuthClient;
  signUp: (kind?: AccountKind) => Promise<Member>;
  /** Creates a user with a verified address, because second factors need one. */
  signUpVerified: (kind?: AccountKind) => Promise<Member>;
  signIn: (member: Member, fingerprint?: string) => Promise<Device>;
  close: () => Promise<void>;
};

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export const createFixture = (stack: StackFile): RaceFixture => {
  const http = createHttpClient(stack.gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const records = createRecords(stack.databaseUrl);
  const client = (kind: AccountKind) => createAuthClient(http.baseUrl, kind, http.sendOrThrow);
  const signUp = async (kind: AccountKind = CUSTOMER): Promise<Member> => ({
    kind,
    ...(await client(kind).createAccount()),
  });
  return {
    stack,
    records,
    inbox: createInboxClient(stack.inboxUrl),
    send: http.sendOrThrow,
    client,
    signUp,
    signUpVerified: async (kind) => {
      const member = await signUp(kind);
      await records.verifyEmail(member.userId);
      return member;
    },
    signIn: (member, fingerprint) => client(member.kind).openDevice(member, fingerprint),
    close: async () => {
      http.close();
      await records.close();
    },
  };
};

/** Five requests of a client network may wait for a provider. */
const GROUP = 4;

/**
 * Creates a race with a new subject for each round. The subjects of several rounds are prepared at once,
 * because that takes longer than a round.
 */
export const createRace = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject, ...args: Parameters<Race['run']>) => ReturnType<Race['run']>,
): Race => {
  const prepared: Subject[] = [];
  return {
    run: async (...args) => {
      if (prepared.length === 0) prepared.push(...(await Promise.all(range(GROUP).map(prepare))));
      return await run(prepared.shift() as Subject, ...args);
    },
  };
};

/** Checks that there is one audit record of the action on the target, or the given number. */
export const checkAudit = async (
  { records }: RaceFixture,
  check: Check,
  action: string,
  targetId: string,
  expected = 1,
): Promise<void> => {
  const audited = (await records.auditOf(targetId)).filter((entry) => entry.action === action).length;
  check(audited === expected, `the audit log has ${action} ${expected} times`, audited);
};
