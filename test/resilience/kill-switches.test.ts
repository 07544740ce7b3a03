// Sets each switch of docs/runbooks.md under load, by replacing the processes one after another, and takes it
// back. SWITCH_SECONDS shortens the time for which each is set.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { createSwitchLoad, run } from './kill-switches/operations.ts';
import { type SwitchPlatform, startSwitchPlatform } from './kill-switches/platform.ts';
import { OFFERS, SWITCHES, type Switch } from './kill-switches/switches.ts';
import { startSteadyLoad } from './load/steady-load.ts';

const SWITCH_SECONDS = Number(process.env['SWITCH_SECONDS'] ?? 20);
const UNSWITCHED_SECONDS = 3;
const SUCCESS = 'success';

type Entry = { operation: string; result: string; startedAt: number; endedAt: number };
/** The times in milliseconds at which the replacements began and ended. */
type Times = { setting: number; set: number; unsetting: number; unset: number };

const toResult = (failed: HttpResponse | undefined): string => {
  if (!failed) return SUCCESS;
  const retryAfter = failed.headers['retry-after'];
  return formatStatus(failed) + (retryAfter === undefined ? '' : `, Retry-After ${retryAfter}`);
};

const count = (entries: readonly Entry[], toText = ({ result }: Entry) => result): string =>
  [...Map.groupBy(entries, toText)].map(([text, { length }]) => `${length} × ${text}`).join('; ') || 'none';

const expectOnly = (entries: readonly Entry[], allowed: readonly string[], when: string): void => {
  const others = entries.filter(({ result }) => !allowed.includes(result));
  expect(
    count(others, ({ operation, result }) => `${operation}: ${result}`),
    when,
  ).to.equal('none');
};

describe('kill switches under load', () => {
  const table: Record<string, object> = {};
  let platform: SwitchPlatform;
  let load: Awaited<ReturnType<typeof createSwitchLoad>>;
  before('start the platform', async () => {
    platform = await startSwitchPlatform();
    load = await createSwitchLoad(platform);
  });
  after('stop it and print the table', async () => {
    console.table(table);
    await platform?.stop();
  });

  const startLoad = () => {
    const entries: Entry[] = [];
    const operations = Object.entries(load.operations).map(([operation, [perSecond, work]]) => ({
      perSecond,
      run: async () => {
        const startedAt = Date.now();
        const result = toResult(await run(work));
        entries.push({ operation, result, startedAt, endedAt: Date.now() });
        return true;
      },
    }));
    return { entries, stop: startSteadyLoad(operations).stop };
  };

  const flip = async ({ process: replaced, settings, offers }: Switch): Promise<Times> => {
    await delay(UNSWITCHED_SECONDS * 1_000);
    const setting = Date.now();
    await platform.replace(replaced, settings);
    const set = Date.now();
    if (replaced === 'auth-service') expect(await load.readOffers()).to.deep.equal({ ...OFFERS, ...offers });
    await delay(SWITCH_SECONDS * 1_000);
    const unsetting = Date.now();
    await platform.replace(replaced, {});
    const unset = Date.now();
    await delay(UNSWITCHED_SECONDS * 1_000);
    expect(await load.readOffers()).to.deep.equal(OFFERS);
    return { setting, set, unsetting, unset };
  };

  /** Expects that nothing but the operations of the switch stops, and these for the whole time. */
  const check = (entries: readonly Entry[], { stops, result }: Switch, times: Times) => {
    const [stopped, others] = [true, false].map((isStopped) =>
      entries.filter(({ operation }) => stops(operation) === isStopped),
    ) as [Entry[], Entry[]];
    const during = stopped.filter(
      ({ startedAt, endedAt }) => startedAt >= times.set && endedAt <= times.unsetting,
    );
    const without = stopped.filter(
      ({ startedAt, endedAt }) => endedAt <= times.setting || startedAt >= times.unset,
    );
    expectOnly(others, [SUCCESS], 'operations that go on');
    expectOnly(without, [SUCCESS], 'operations without the switch');
    expectOnly(stopped, [SUCCESS, result], 'operations while processes are replaced');
    expectOnly(during, [result], 'operations that stop');
    for (const operation of Object.keys(load.operations)) {
      const found = (stops(operation) ? during : others).filter((entry) => entry.operation === operation);
      expect(found, operation).not.to.be.empty;
    }
    return { stopped: count(during), 'before and after': count(without), 'everything else': count(others) };
  };

  for (const each of SWITCHES) {
    const [[name, value]] = Object.entries(each.settings) as [[string, string]];
    it(`stop what they say and nothing else: ${name}=${value}`, async () => {
      const { entries, stop } = startLoad();
      const times = await flip(each).finally(stop);
      table[`${name}=${value}`] = check(entries, each, times);
    });
  }

  it('are those of the runbook', async () => {
    const page = await readFile(new URL('../../docs/runbooks.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('\n## Switch something off\n');
    const rows = section.split('\n## ', 1)[0]?.match(/^\| .*`[A-Z_]+.*$/gm) ?? [];
    const documented = rows.map((row) => /`([A-Z_]+)/.exec(row)?.[1]);
    expect(documented).to.have.members([
      ...new Set(SWITCHES.flatMap(({ settings }) => Object.keys(settings))),
    ]);
  });
});
