/** The parameters of a journey of a generated client. */
export type JourneyFixture = {
  /** The URL includes the prefix of all paths. */
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

/** A journey fails when a response does not match the generated types. */
export type ClientJourneys = Record<
  'runCustomerJourney' | 'runAdministratorJourney' | 'runErrorJourney',
  (fixture: JourneyFixture) => Promise<void>
>;
