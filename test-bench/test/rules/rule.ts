import { CODE_SECRET } from '@platform/auth-service/testing/auth-service';
import { getAddress } from '@platform/auth-service/testing/sign-in-attempts';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Services } from '../../testing/services.ts';

/** Lets so many seconds pass for the account. */
type PassTime = (id: string, seconds: number) => Promise<unknown>;

/** What the rules use. `passTime` is `age`, or moves the clock of everything. */
export type World = Services & {
  passTime: PassTime;
  /** Returns another client network with each call. */
  newNetwork: () => string;
  codeSecret: string;
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
  /** The request changes the account even if it is rejected. */
  needsTwoPeople?: true;
  before: string;
  after: string;
};

/** The outcomes on both sides of the limit. */
export type Outcomes = Pick<Rule, 'before' | 'after'>;

let networks = 0;

export const createWorld = (services: Services, passTime: PassTime = services.age): World => ({
  ...services,
  passTime,
  newNetwork: () => {
    networks += 1;
    return getAddress(networks);
  },
  codeSecret: CODE_SECRET,
});

const describeOutcome = (outcome: Outcome): string =>
  typeof outcome === 'string' ? outcome : formatStatus(outcome);

/** Sends the request on both sides of the limit: for two people, or for one if the first request is rejected. */
export const findOutcomes = async (rule: Rule, world: World): Promise<Outcomes> => {
  const { limit, margin = 10, prepare, needsTwoPeople = false } = rule;
  const askAfter = async ({ id, ask }: Prepared, seconds: number): Promise<string> => {
    await world.passTime(id, seconds);
    return describeOutcome(await ask());
  };
  const first = await prepare(world);
  const before = await askAfter(first, limit - margin);
  const isUnchanged = /^4\d\d /.test(before) && !needsTwoPeople;
  const after = isUnchanged
    ? await askAfter(first, margin + 1)
    : await askAfter(await prepare(world), limit + 1);
  return { before, after };
};

export const repeat = async (times: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < times; index += 1) await work(index);
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
