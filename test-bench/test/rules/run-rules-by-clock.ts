// Runs the rules with the clock of this process, PostgreSQL and Valkey moved, and prints a line for each.
import { startServices } from '../../testing/services.ts';
import { createClock } from './moved-clock.ts';
import { createWorld, findOutcomes } from './rule.ts';
import { RULES } from './rules.ts';

const print = (line: object): void => console.log(JSON.stringify(line));

const clock = createClock();
const started = Date.now() - performance.now();
const services = await startServices();
const world = createWorld(services, (_id, seconds) => clock.passTime(seconds));
for (const rule of RULES) {
  const outcomes = await findOutcomes(rule, world).catch((error: Error) => ({ error: error.stack }));
  print({ name: rule.name, ...outcomes });
}

/** How many seconds each clock is ahead of the real time. */
const findAhead = (milliseconds: number): number =>
  Math.round((milliseconds - started - performance.now()) / 1_000);
const [valkeySeconds] = await services.auth.redis.client.time();
const [row] = await services.auth.records.query<{ now: Date }>('select now()');
print({
  moved: clock.moved(),
  node: findAhead(Date.now()),
  postgres: findAhead(Number(row?.now)),
  valkey: findAhead(Number(valkeySeconds) * 1_000),
});
process.exit();
