import {
  type AccountKind,
  ADMINISTRATOR,
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { createHttpClient, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { StackFile } from '@platform/shared/testing/stack';
import { createFactorClient, type FactorClient } from '../../factor-client.ts';

/** The results of the concurrent requests of one round, and the violated invariants. */
export type Round = { results: string[]; violations: string[] };

/** Concurrent requests to one resource, repeated. */
export type Race = {
  name: string;
  /** The number of concurrent requests in a round. */
  concurrency: number;
  run: (round: number) => Promise<Round>;
  close?: () => unknown;
};

export const createChecker = () => {
  const violations: string[] = [];
  return {
    violations,
    /** `actual` is shown when the invariant is violated. */
    check: (holds: boolean, invariant: string, actual?: unknown): void => {
      if (!holds) violations.push(actual === undefined ? invariant : `${invariant}, but ${actual}`);
    },
  };
};

export type Checker = ReturnType<typeof createChecker>;

export type Member = { kind: AccountKind; email: string; password: string; userId: string };

/** Requests fail without a complete response. */
export type RaceFixture = {
  stack: StackFile;
  records: Records;
  send: (request: HttpRequest) => Promise<HttpResponse>;
  auth: (kind: AccountKind) => AuthClient;
  factors: (kind: AccountKind) => FactorClient;
  signUp: (kind?: AccountKind) => Promise<Member>;
  /** Second factors need a verified address. */
  signUpVerified: (kind?: AccountKind) => Promise<Member>;
  signIn: (member: Member, fingerprint?: string) => Promise<Device>;
  close: () => Promise<void>;
};

export const withStatus = (responses: readonly HttpResponse[], status: number): HttpResponse[] =>
  responses.filter((response) => response.status === status);

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export const createFixture = (stack: StackFile): RaceFixture => {
  const client = createHttpClient(stack.gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const records = createRecords(stack.databaseUrl);
  const auth = (kind: AccountKind) => createAuthClient(client.baseUrl, kind, client.sendOrThrow);
  const signUp = async (kind: AccountKind = CUSTOMER): Promise<Member> => {
    if (kind !== ADMINISTRATOR) return { kind, ...(await auth(kind).createAccount()) };
    const { id, email, password } = await records.user(['ADMIN']);
    return { kind, email, password, userId: id };
  };
  return {
    stack,
    records,
    send: client.sendOrThrow,
    auth,
    factors: (kind) => createFactorClient(kind, client.sendOrThrow),
    signUp,
    signUpVerified: async (kind) => {
      const member = await signUp(kind);
      await records.verifyEmail(member.userId);
      return member;
    },
    signIn: (member, fingerprint) => auth(member.kind).openDevice(member, fingerprint),
    close: async () => {
      client.close();
      await records.close();
    },
  };
};

const GROUP = 8;

/** Prepares the subjects of several rounds at once: a preparation takes longer than its round. */
export const prepareInGroups = <Subject>(create: () => Promise<Subject>): (() => Promise<Subject>) => {
  let prepared: Subject[] = [];
  return async () => {
    if (prepared.length === 0) prepared = await Promise.all(range(GROUP).map(create));
    const next = prepared.shift();
    if (next === undefined) throw new Error('There is no prepared subject');
    return next;
  };
};

/** The number of audit records of an action on a target. */
export const countAudit = async (
  { records }: RaceFixture,
  action: string,
  targetId: string,
): Promise<number> => (await records.auditOf(targetId)).filter((entry) => entry.action === action).length;
