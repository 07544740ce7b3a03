// `npm run rehearse:upgrade -- --from <release or commit>`: upgrades to this checkout and back under load.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCheckoutOf } from '../../tools/checkout-copy.ts';
import { findEarlierRelease, VERSION } from '../../tools/releases.ts';
import { listPreparations, rehearse } from './rehearsal.ts';
import { findUpgradeProblems, formatRehearsal } from './report.ts';

const USAGE = `npm run rehearse:upgrade -- [options]

Upgrades from another release to this checkout and back, on a new database and under load, and prints failed
requests, lost sessions and codes, the migrations with their locks, and what a person has to do.

  --from <release or commit>  the last earlier release by default
  --users <number>            in the database before the load (10000)
  --seconds <number>          of load in each phase, beside the changes (10)
  --load <factor>             share of 96 requests a second (0.2)

Exit code 0: nothing failed; 1: something did, and is listed.`;

const ROOT = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    users: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    load: { type: 'string', default: '0.2' },
    help: { type: 'boolean', default: false },
  },
});

const run = async (): Promise<void> => {
  const { version, commit } = findEarlierRelease(values.from);
  const checkout = await createCheckoutOf(commit);
  try {
    const from = { name: version, root: checkout.root };
    const to = { name: version === VERSION ? `${VERSION} (this checkout)` : VERSION, root: ROOT };
    const rehearsal = await rehearse({
      from,
      to,
      users: Number(values.users),
      secondsPerPhase: Number(values.seconds),
      loadFactor: Number(values.load),
      onProgress: (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`),
    });
    console.log(
      `\nFrom ${from.name} (${commit.slice(0, 8)}) to ${to.name} and back, ${values.users} users\n`,
    );
    console.log(formatRehearsal(rehearsal, await listPreparations(to, from.name)));
    process.exitCode = findUpgradeProblems(rehearsal).length === 0 ? 0 : 1;
  } finally {
    if (existsSync(checkout.root)) await checkout.remove();
  }
};

if (values.help) console.log(USAGE);
else await run();
