// `npm run bench:sign-in-storm`: does "me" keep answering while everybody signs in?
// DATA_DIR names the data of a running stack; without it one is started, as in production. STORM_SECONDS sets the length.
import { CUSTOMER, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { joinStack, startStack } from '@platform/shared/testing/stack';
import { applyLoad, type Load, type LoadResult } from './load.ts';

const IDLE_SECONDS = 10;
const STORM_SECONDS = Number(process.env['STORM_SECONDS'] ?? 30);
/** More than can be hashed at once, fewer than the queue takes: what is measured is hashing, not refusing. */
const STORM_CONNECTIONS = 16;
const LIMIT = 5;

/** Two ways to call "me": at a steady pace, and as fast as they are answered. */
const ME_LOADS = [
  { name: '100/s from 4 clients', connections: 4, overallRate: 100 },
  { name: '4 clients, flat out', connections: 4 },
] as const;
type MeLoad = (typeof ME_LOADS)[number];

const PRODUCTION = {
  NODE_ENV: 'production',
  BCRYPT_COST: '12',
  CORS_ORIGINS: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  // The load comes from one address.
  RATE_LIMIT_SCALE: '100000',
};

type Account = { email: string; password: string };

const meLoad = (
  url: string,
  device: Device,
  { name: _name, ...clients }: MeLoad,
  duration: number,
): Load => ({
  url,
  duration,
  ...clients,
  requests: [
    {
      method: 'GET',
      path: `${CUSTOMER.path}/me`,
      headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Fingerprint': device.fingerprint },
    },
  ],
});

const stormLoad = (url: string, accounts: Account[]): Load => ({
  url,
  connections: STORM_CONNECTIONS,
  duration: STORM_SECONDS,
  requests: accounts.map(({ email, password }) => ({
    method: 'POST',
    path: `${CUSTOMER.path}/sign-in`,
    headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'storm' },
    body: JSON.stringify({ email, password }),
  })),
});

const show = (name: string, { requests, perSecond, statuses, unanswered, ...times }: LoadResult): void => {
  const shown = Object.entries(times).map(([key, value]) => `${key} ${value.toFixed(1).padStart(6)} ms`);
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  console.log(`  ${name.padEnd(22)} ${shown.join('  ')}  ${perSecond.toFixed(1)}/s (${answers.join(', ')})`);
  if (unanswered > 0) console.log(`  ${unanswered} of ${requests + unanswered} were not answered`);
};

const compare = async (url: string, device: Device, accounts: Account[], load: MeLoad): Promise<boolean> => {
  console.log(`\nme, ${load.name}`);
  await applyLoad(meLoad(url, device, load, 2)); // warm
  const idle = await applyLoad(meLoad(url, device, load, IDLE_SECONDS));
  show('idle', idle);
  const [storm, busy] = await Promise.all([
    applyLoad(stormLoad(url, accounts)),
    applyLoad(meLoad(url, device, load, STORM_SECONDS)),
  ]);
  show('during sign-ins', busy);
  show('the sign-ins', storm);
  const ratio = busy.p99 / idle.p99;
  const isAnswered = busy.unanswered === 0 && Object.keys(busy.statuses).join() === '200';
  const isGood = ratio < LIMIT && isAnswered;
  console.log(
    `  p99 during sign-ins is ${ratio.toFixed(2)} times the idle p99; it must be under ${LIMIT}: ${isGood ? 'good' : 'NOT GOOD'}`,
  );
  return isGood;
};

const dataDir = process.env['DATA_DIR'];
const running = dataDir ? await joinStack(dataDir) : await startStack(PRODUCTION);
try {
  const { gatewayUrl } = running.stack;
  const client = createAuthClient(gatewayUrl, CUSTOMER);
  const device = await client.openDevice(await client.createAccount());
  const accounts: Account[] = [];
  for (let index = 0; index < 8; index += 1) accounts.push(await client.createAccount());
  const verdicts: boolean[] = [];
  for (const load of ME_LOADS) verdicts.push(await compare(gatewayUrl, device, accounts, load));
  if (verdicts.includes(false)) process.exitCode = 1;
} finally {
  await running.stop();
}
