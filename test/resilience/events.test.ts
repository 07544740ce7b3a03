// Kills processes and fails PostgreSQL over while twenty writers cause events and five readers read them, two of
// them with a filter of types: each gets every committed event that it wants exactly once, in order for each subject, and no acknowledged write of
// another service is lost. EVENT_ROUNDS is the number of faults.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expect } from 'chai';
import { PLATFORMS } from './events/platforms.ts';
import { startReader } from './events/readers.ts';
import { findViolations } from './events/violations.ts';
import { startWriters } from './events/writers.ts';

const ROUNDS = Number(process.env['EVENT_ROUNDS'] ?? 5);
const LIMITS = [1_000, 100, 7];
const FILTERS = [['user.blocked', 'user.unblocked'], ['project.edited']];
const SLOW_MILLISECONDS = 5_000;
const PAUSE_MILLISECONDS = 500;
const NONE = { missing: 0, unknown: 0, repeated: 0, disordered: 0, 'not in the order of commits': 0 };

/** Runs a transaction that commits five seconds after it took a sequence number, unless the fault ends it. */
const runSlowTransaction = async (databaseUrl: string): Promise<void> => {
  const insert = "insert into events (type, subject) values ('project.edited', $1)";
  try {
    const open = await holdLock(databaseUrl, insert, [randomUUID()]);
    await delay(SLOW_MILLISECONDS);
    await open.commit();
  } catch (error) {
    console.log(`      a slow transaction ended: ${String(error)}`);
  }
};

for (const { name, findObstacle, start } of PLATFORMS)
  describe(`events for other services during faults of ${name}`, () => {
    it(`reach each reader exactly once, in ${ROUNDS} rounds`, async function () {
      const obstacle = findObstacle();
      if (obstacle !== undefined) {
        console.log(`      ${obstacle}`);
        return this.skip();
      }
      this.timeout((ROUNDS + 10) * 120_000);
      const platform = await start();
      try {
        const readers = [
          ...LIMITS.map((limit) => startReader(platform.adminUrls, limit)),
          ...FILTERS.map((types) => startReader(platform.adminUrls, 50, types)),
        ];
        const { gatewayUrl, adminUrls } = platform;
        const writers = await startWriters({ gatewayUrl, adminUrls, databaseUrl: platform.databaseUrl() });
        for (let round = 0; round < ROUNDS; round += 1) {
          const slow = runSlowTransaction(platform.databaseUrl());
          await delay(PAUSE_MILLISECONDS);
          await platform.faults[round % platform.faults.length]?.inject();
          await slow;
        }
        await writers.stop();
        expect(await writers.findProblems(platform.databaseUrl())).to.deep.equal([]);
        const results = await findViolations(platform.databaseUrl(), readers);
        console.table(results.map(({ violations, ...rest }) => ({ ...rest, ...violations })));
        for (const { events, violations } of results) {
          expect(events).to.be.above(0);
          expect(violations).to.deep.equal(NONE);
        }
      } finally {
        await platform.stop();
      }
    });
  });
