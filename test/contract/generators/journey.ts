import { getCookie } from '@platform/shared/testing/http-client';
import { expect } from 'chai';

/** What a journey of a generated client works with. */
export type JourneyFixture = {
  /** It includes the prefix of all paths. */
  baseUrl: string;
  /** Counts the requests. */
  fetch: typeof fetch;
  administrator: { email: string; password: string };
  customer: { email: string; password: string };
  projectId: string;
  teamId: string;
  /** The six digits of the newest mail to the address. */
  readCode: (email: string) => Promise<string>;
};

/** Each journey fails when a response differs from what the generated types promise. */
export type ClientJourneys = {
  runCustomerJourney: (fixture: JourneyFixture) => Promise<void>;
  runAdministratorJourney: (fixture: JourneyFixture) => Promise<void>;
  runErrorJourney: (fixture: JourneyFixture) => Promise<void>;
};

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Node's fetch keeps no cookies. */
export const readCookie = ({ headers }: { headers: Headers }, name: string): string => {
  const value = getCookie({ headers: { 'set-cookie': headers.getSetCookie() } }, name);
  expect(value, `cookie ${name}`).to.match(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  return value;
};

/** Generated clients type a time as text, which `new Date` reads. */
export const expectTime = (time: string): void => {
  expect(new Date(time).toISOString()).to.equal(time);
};
