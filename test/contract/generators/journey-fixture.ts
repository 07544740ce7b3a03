import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import type { Records } from '@platform/shared/testing/records';
import type { StackFile } from '@platform/shared/testing/stack';
import { loadJourneys } from './generate-client.ts';
import type { ClientJourneys, JourneyFixture } from './journey.ts';

const createFixture = async (
  { gatewayUrl, inboxUrl }: StackFile,
  records: Records,
  fetch: JourneyFixture['fetch'],
): Promise<JourneyFixture> => {
  const inbox = createInboxClient(inboxUrl);
  const { email, password } = await records.user(['ADMIN']);
  return {
    baseUrl: `${gatewayUrl}/api/v1`,
    fetch,
    administrator: { email, password },
    customer: { email: uniqueEmail(), password: PASSWORD },
    projectId: await records.project(),
    teamId: await records.team(),
    readCode: async (address) =>
      codeIn(await waitFor('the mail with the code', async () => (await inbox.mailsTo(address)).at(-1))),
  };
};

/** Runs the journeys of the client one after another as one user. Returns the number of requests of each. */
export const runJourneys = async (
  stack: StackFile,
  records: Records,
): Promise<Record<keyof ClientJourneys, number>> => {
  let requests = 0;
  const fixture = await createFixture(stack, records, (...request) => {
    requests += 1;
    return fetch(...request);
  });
  const journeys = await loadJourneys();
  const run = async (journey: keyof ClientJourneys): Promise<number> => {
    const before = requests;
    await journeys[journey](fixture);
    return requests - before;
  };
  return {
    runCustomerJourney: await run('runCustomerJourney'),
    runAdministratorJourney: await run('runAdministratorJourney'),
    runErrorJourney: await run('runErrorJourney'),
  };
};
