import type { ProcessWatch } from '@platform/shared/testing/watch-processes';
import { injectUnderLoad, type LoadFixture, type LoadResult } from '../load/inject-under-load.ts';
import { type MailCounts, waitForDueMails } from '../load/mails.ts';
import type { RestartableService } from '../platform.ts';
import { countBackends } from './count-backends.ts';
import { followLogs, type LogSummary } from './process-logs.ts';
import type { FailoverEngines, Scenario } from './scenario.ts';

export type RoundFixture = LoadFixture & {
  engines: FailoverEngines;
  services: Readonly<Record<string, RestartableService>>;
  watching: ProcessWatch;
};

export type RoundResult = LoadResult & {
  scenario: Scenario;
  codeMails: MailCounts;
  /** The maximum number of concurrent backends of the platform. */
  backends: number;
  /** The processes that were not ready at some time. */
  unready: string[];
  logs: LogSummary;
};

/** The share of the mixed load. It is low because the machine also runs all processes and several engines. */
const LOAD_FACTOR = 0.5;

/** Injects one fault under load. */
export const runRound = async (scenario: Scenario, fixture: RoundFixture): Promise<RoundResult> => {
  const { engines, services, watching, load, inboxUrl } = fixture;
  const unreadyBefore = watching.unready();
  const readLogs = followLogs(services);
  const counting = countBackends(engines.databaseUrl);
  const result = await injectUnderLoad(fixture, {
    opsUrls: Object.values(services).map(({ opsUrl }) => opsUrl),
    factor: LOAD_FACTOR,
    inject: async () => ({ since: await scenario.inject() }),
    afterLoad: async () => {
      counting.stop();
      await scenario.repair();
    },
  });
  const unready = watching.unready();
  return {
    ...result,
    scenario,
    codeMails: await waitForDueMails(inboxUrl, load.expectedState.codeMails, result.began),
    backends: counting.stop(),
    unready: Object.keys(unready).filter((name) => unready[name] !== unreadyBefore[name]),
    logs: readLogs(),
  };
};
