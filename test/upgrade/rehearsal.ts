import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { startProcess } from '@platform/shared/testing/process';
import { createRecords } from '@platform/shared/testing/records';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { seedDatabase } from '../../bench/seed-database.ts';
import { seedSessions } from '../../bench/seed-sessions.ts';
import { createPlatform, type Engines, startEmptyEngines } from '../resilience/platform.ts';
import { createFleet } from './fleet.ts';
import { createInFlight } from './in-flight.ts';
import { createJudgedClient } from './judged-client.ts';
import { type MigrationLocks, watchMigrations } from './lock-watch.ts';
import { startTraffic } from './traffic.ts';

/** A checkout with its packages. */
type Checkout = { name: string; root: string };

type Options = {
  from: Checkout;
  to: Checkout;
  /** The users in the database before the load adds its own. */
  users: number;
  secondsPerPhase: number;
  /** The share of the mixed load. */
  loadFactor: number;
  onProgress?: (text: string) => void;
};

export type PhaseResult = {
  name: string;
  requests: number;
  /** Results of failed requests, such as `3 × 500 INTERNAL_ERROR`. */
  failed: string[];
  /** 503 with Retry-After, which a client repeats. */
  busy: number;
  lostSessions: string[];
  lostCodes: string[];
  /** Responses that break the documents of the older release. */
  broken: string[];
};

export type Migrated = { seconds: number; output: string; code: number | null };

export type Rehearsal = {
  phases: PhaseResult[];
  migrations: MigrationLocks[];
  forward: Migrated;
  /** `npm run migrate` of the older release, after the rollback. */
  back: Migrated;
  /** Acknowledged writes, events and mails that are missing at the end. */
  lostWrites: string[];
};

const UPSTREAM_TIMEOUT_SECONDS = 25;

/** Runs `npm run migrate` of a checkout, as an operator does. */
const migrate = async ({ root }: Checkout, { databaseUrl, processUrls }: Engines): Promise<Migrated> => {
  const logins = Object.entries(processUrls).map(([name, url]) => [
    `${name.toUpperCase()}_DATABASE_URL`,
    url,
  ]);
  const started = performance.now();
  const environment = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...Object.fromEntries(logins) };
  const running = startProcess(['migrate/src/run-migrations.ts'], { environment, cwd: root });
  const { code } = await running.waitForExit(3_600);
  return { code, output: running.output().trim(), seconds: (performance.now() - started) / 1_000 };
};

const prepareDatabase = async ({ from, users }: Options, engines: Engines): Promise<void> => {
  const { code, output } = await migrate(from, engines);
  if (code !== 0) throw new Error(`The migrations of ${from.name} failed:\n${output}`);
  if (users === 0) return;
  const size = {
    users,
    projects: Math.ceil(users / 2),
    teams: Math.ceil(users / 20),
    auditRecords: users,
    contactRequests: Math.ceil(users / 10),
  };
  await seedDatabase(engines.databaseUrl, size);
  await seedSessions(engines.databaseUrl, users, users);
};

/**
 * Upgrades from one checkout to another and back, on one database and under load. The services of the older
 * one run before and after the migration, beside the newer ones, and again at the end.
 */
export const rehearse = async (options: Options): Promise<Rehearsal> => {
  const { from, to, secondsPerPhase, loadFactor, onProgress = () => undefined } = options;
  const [engines, smtp] = await Promise.all([startEmptyEngines(), startFakeSmtpServer()]);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching, {
    ...SERVICE_ENVIRONMENT,
    // A starting process takes a whole core, so on a small machine others wait.
    UPSTREAM_TIMEOUT_SECONDS: String(UPSTREAM_TIMEOUT_SECONDS),
  });
  const records = createRecords(engines.databaseUrl);
  try {
    onProgress(`Migrates a new database with ${from.name}, and adds ${options.users} users …`);
    await prepareDatabase(options, engines);
    onProgress(`The database of ${from.name} has ${options.users} users`);
    const fleet = await createFleet(platform, from.root);
    const { client, takeBroken } = await createJudgedClient(fleet.gatewayUrl, from.root);
    const traffic = await startTraffic({ engines, records, smtp, client, fleet, loadFactor });
    const inFlight = createInFlight(client, records, smtp);
    const phases: PhaseResult[] = [];

    const runPhase = async (name: string, change?: () => Promise<void>): Promise<void> => {
      const takeRequests = traffic.countFrom();
      const step = (text: string) => onProgress(`${name}: ${text} …`);
      if (change) {
        step('begins codes, second steps and sessions');
        await inFlight.begin(name);
        step('migrates, or replaces the processes one after another');
      }
      await change?.();
      step('finishes what was begun before');
      const lost = await inFlight.finish();
      step(`requests for ${secondsPerPhase} s`);
      await delay(secondsPerPhase * 1_000);
      phases.push({
        name,
        ...takeRequests(),
        lostSessions: lost.sessions,
        lostCodes: lost.codes,
        broken: takeBroken(),
      });
    };
    let forward: Migrated | undefined;
    let migrations: MigrationLocks[] = [];
    await runPhase(`${from.name}`);
    await runPhase(`${from.name}, migrated`, async () => {
      const locks = await watchMigrations(engines.databaseUrl, to.root);
      forward = await migrate(to, engines);
      migrations = await locks.stop();
      if (forward.code !== 0) throw new Error(`The migrations of ${to.name} failed:\n${forward.output}`);
    });
    await runPhase('mixed', () => fleet.upgradeHalf(to.root));
    await runPhase(`${to.name}`, () => fleet.upgradeRest(to.root));
    await runPhase('mixed, on the way back', () => fleet.rollBackHalf(from.root));
    await runPhase(`${from.name} again`, () => fleet.rollBackRest(from.root));
    const back = await migrate(from, engines);
    const lostWrites = await traffic.stop();
    client.close();
    if (!forward) throw new Error('There was no migration');
    return { phases, migrations, forward, back, lostWrites };
  } finally {
    await records.close();
    platform.killAll();
    await watching.stop();
    await smtp.stop();
    await engines.stop();
  }
};

/** What `docs/upgrading.md` of a checkout asks for before the upgrade from a version. */
export const listPreparations = async ({ root }: Checkout, fromVersion: string): Promise<string[]> => {
  const text = await readFile(join(root, 'docs/upgrading.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  const last = sections.findIndex((section) => section.startsWith(`${fromVersion}\n`));
  const later = last === -1 ? sections : sections.slice(0, last);
  return later.flatMap((section) => {
    const [, preparation] = /^- \*\*Before:\*\*\s+(.*?)(?=\n- |\n\n|$(?![\s\S]))/ms.exec(section) ?? [];
    return preparation === undefined ? [] : [preparation.replace(/\s+/g, ' ')];
  });
};
