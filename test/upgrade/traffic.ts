import type { FakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import type { HttpClient } from '@platform/shared/testing/http-client';
import { poll } from '@platform/shared/testing/poll';
import type { Records } from '@platform/shared/testing/records';
import { startReader } from '../resilience/events/readers.ts';
import { startServiceWriters } from '../resilience/events/service-writers.ts';
import { findViolations } from '../resilience/events/violations.ts';
import { createAdminFixture } from '../resilience/load/admin-actions.ts';
import { createLostWriteFinder, type ExpectedState } from '../resilience/load/expected-state.ts';
import { createMixedLoad } from '../resilience/load/mixed-load.ts';
import { countResults, filterFailed, type RequestEntry } from '../resilience/load/request-log.ts';
import type { Engines } from '../resilience/platform.ts';
import { startMailWriters } from '../resilience/service-mails/mail-writers.ts';
import type { Fleet } from './fleet.ts';

type Options = {
  engines: Engines;
  records: Records;
  smtp: FakeSmtpServer;
  client: HttpClient;
  fleet: Fleet;
  loadFactor: number;
};

const PAGE = 100;
const DELIVERY_SECONDS = 90;

const isBusy = ({ response }: RequestEntry): boolean =>
  response.status === 503 && response.headers['retry-after'] !== undefined;

const summarize = (entries: readonly RequestEntry[]) => {
  const failed = filterFailed(entries);
  const byOperation = Map.groupBy(
    failed.filter((entry) => !isBusy(entry)),
    ({ operation }) => operation,
  );
  return {
    requests: entries.length,
    busy: failed.filter(isBusy).length,
    failed: [...byOperation].map(([operation, those]) => `${operation}: ${countResults(those)}`),
  };
};

/** The notices and forms of acknowledged writes whose mail has not arrived. */
const findLostMails = async ({ mails }: ExpectedState, smtp: FakeSmtpServer): Promise<string[]> => {
  const findMissing = () => {
    const arrived = smtp.mails();
    const texts = arrived.map(({ text }) => text).join('\n');
    const recipients = new Set(arrived.flatMap(({ to }) => to));
    return [...mails.keys()].filter((key) => !(recipients.has(key) || texts.includes(key)));
  };
  await poll(() => findMissing().length === 0, {
    timeoutSeconds: DELIVERY_SECONDS,
    everyMilliseconds: 1_000,
  });
  return findMissing().map((key) => `mail ${key}`);
};

/**
 * Starts users, administrators, and another service that writes, mails its users and reads events, which run
 * through all phases.
 */
export const startTraffic = async ({ engines, records, smtp, client, fleet, loadFactor }: Options) => {
  const { databaseUrl } = engines;
  const fixture = await createAdminFixture(databaseUrl, client);
  const load = createMixedLoad(client, fixture);
  const { entries } = load.requestLog;
  const running = load.start(['auth', 'admin'], loadFactor);
  const writers = await startServiceWriters(records, fleet.adminUrls);
  const mailWriters = await startMailWriters(records, fleet.adminUrls);
  const reader = startReader(fleet.adminUrls, PAGE);
  const findLostWrites = createLostWriteFinder({
    client,
    expectedState: load.expectedState,
    adminToken: fixture.adminToken,
  });

  const findLostEvents = async (): Promise<string[]> => {
    const violations = await findViolations(databaseUrl, [reader]);
    return violations.flatMap(({ violations: counts }) =>
      Object.entries(counts)
        // A reader that crashes reads a page twice.
        .filter(([name, count]) => count > 0 && name !== 'repeated')
        .map(([name, count]) => `${count} events: ${name}`),
    );
  };
  return {
    /** Returns a function that summarizes the requests since this call. */
    countFrom: () => {
      const first = entries.length;
      return () => summarize(entries.slice(first));
    },
    /** Returns what is lost. */
    stop: async (): Promise<string[]> => {
      await running.stop();
      await writers.stop();
      await mailWriters.stop();
      return [
        ...(await findLostWrites(0)),
        ...(await writers.findProblems(databaseUrl)),
        ...mailWriters.unexpected,
        ...(await findLostEvents()),
        ...(await findLostMails(load.expectedState, smtp)),
      ];
    },
  };
};
