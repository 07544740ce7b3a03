import { setTimeout as delay } from 'node:timers/promises';
import { createOfficeSteps } from '../load/admin-actions.ts';
import { createLedger } from '../load/expected-state.ts';
import { createHttpClient } from '../load/http-client.ts';
import { createMixedLoad } from '../load/mixed-load.ts';
import { createJournal, type Sample } from '../load/request-log.ts';
import { type Operation, startSteadyLoad } from '../load/steady-load.ts';
import { createVisitorSteps } from '../load/user-actions.ts';

export type Office = { adminToken: string; projectIds: readonly string[] };
export type Part = 'auth' | 'office';

const WARM_UP_SECONDS = 6;
/** The mixed load twice over: 160 requests a second. */
const FASTER = 2;

const faster = ({ perSecond, run }: Operation): Operation => ({ perSecond: perSecond * FASTER, run });

/** The load, or one service's part of it, on an address, while `during` runs. Returns the requests since then. */
export const loadDuring = async (
  url: string,
  parts: readonly Part[],
  { adminToken, projectIds }: Office,
  during: () => Promise<void>,
): Promise<Sample[]> => {
  const client = createHttpClient(url);
  const journal = createJournal(client);
  const ledger = createLedger();
  const load = createMixedLoad({
    visitors: createVisitorSteps({ journal, ledger }),
    office: createOfficeSteps({ journal, ledger, adminToken }),
    projectIds,
  });
  const running = startSteadyLoad(parts.flatMap((part) => load[part]).map(faster));
  try {
    await delay(WARM_UP_SECONDS * 1_000);
    const first = journal.samples.length;
    await during();
    await running.stop();
    return journal.samples.slice(first);
  } finally {
    await running.stop();
    client.close();
  }
};
