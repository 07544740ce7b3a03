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
export type ClientJourneys = Record<
  'runCustomerJourney' | 'runAdministratorJourney' | 'runErrorJourney',
  (fixture: JourneyFixture) => Promise<void>
>;
