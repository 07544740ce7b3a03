import { CODE_SECRET } from '@platform/auth-service/testing/auth-service';
import { getAddress } from '@platform/auth-service/testing/sign-in-attempts';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Services } from '../../testing/services.ts';

/** What the rules use. A second run can move the clock of everything in place of `passTime`. */
export type World = Services & {
  /** Lets so many seconds pass for the account. */
  passTime: (id: string, seconds: number) => Promise<unknown>;
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
  before: string;
  after: string;
};

let networks = 0;

export const createWorld = (services: Services): World => ({
  ...services,
  passTime: services.age,
  newNetwork: () => {
    networks += 1;
    return getAddress(networks);
  },
  codeSecret: CODE_SECRET,
});

export const repeat = async (times: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < times; index += 1) await work(index);
};

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
