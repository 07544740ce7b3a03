import { CODE_SECRET, type RunningAuthService } from '@platform/auth-service/testing/auth-service';
import { getAddress } from '@platform/auth-service/testing/sign-in-attempts';
import type { handledOperations as AdminOperations } from '@platform/openapi/types/admin';
import type { ContractClient } from '@platform/shared/testing/contract-client';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Services } from '../../testing/services.ts';

/** Lets so many seconds pass for the account. */
type PassTime = (id: string, seconds: number) => Promise<unknown>;

/** The platform as the rules use it. `passTime` is `age`, or moves the clock of everything. */
export type World = {
  auth: Pick<RunningAuthService, 'as' | 'records' | 'url' | 'databaseUrl'> & {
    mails: Pick<RunningAuthService['mails'], 'codeOf'>;
    redis: Pick<RunningAuthService['redis'], 'client'>;
  };
  admin: { url: string; withToken: (token: string) => ContractClient<AdminOperations> };
  /** The auth-service with NEW_DEVICE_CODE and SESSION_MAX_AGE. */
  strict: Pick<Services['strict'], 'as'>;
  passTime: PassTime;
  /** Returns the headers of requests from another client network with each call. */
  newNetwork: () => Promise<Record<string, string>>;
  codeSecret: string;
  /** How many seconds before the limit the first request is sent, at least; 10 by default. */
  margin?: number;
};

/** A response, or a text that says what a response contains. */
type Outcome = HttpResponse | string;

export type Prepared = {
  /** The account, or the invitation. */
  id: string;
  /** The request that the rule decides. */
  ask: () => Promise<Outcome>;
};

/** A rule of time of one account, with the responses on both sides of its limit. */
export type Rule = {
  name: string;
  /** The seconds after the preparation. */
  limit: number;
  /** How many seconds before the limit the first response is asked for; 10 by default, for what the test itself takes. */
  margin?: number;
  prepare: (world: World) => Promise<Prepared>;
  /** Whether the first request changes the account, as it does by default unless it is rejected. */
  needsTwoPeople?: boolean;
  before: string;
  after: string;
};

/** The outcomes on both sides of the limit. */
export type Outcomes = Pick<Rule, 'before' | 'after'>;

let networks = 0;

export const createWorld = (services: Services, passTime: PassTime = services.age): World => ({
  ...services,
  passTime,
  newNetwork: async () => {
    networks += 1;
    return { 'X-Forwarded-For': getAddress(networks) };
  },
  codeSecret: CODE_SECRET,
});

const describeOutcome = (outcome: Outcome): string =>
  typeof outcome === 'string' ? outcome : formatStatus(outcome);

/** Sends the request on both sides of the limit: for two people, or for one if the first request is rejected. */
export const findOutcomes = async (rule: Rule, world: World): Promise<Outcomes> => {
  const { limit, prepare } = rule;
  const margin = rule.margin ?? Math.min(world.margin ?? 10, limit / 2);
  const askAfter = async ({ id, ask }: Prepared, seconds: number): Promise<string> => {
    await world.passTime(id, seconds);
    return describeOutcome(await ask());
  };
  const first = await prepare(world);
  const before = await askAfter(first, limit - margin);
  const { needsTwoPeople = !/^4\d\d /.test(before) } = rule;
  const after = needsTwoPeople
    ? await askAfter(await prepare(world), limit + 1)
    : await askAfter(first, margin + 1);
  return { before, after };
};

export const repeat = async (times: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < times; index += 1) await work(index);
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
