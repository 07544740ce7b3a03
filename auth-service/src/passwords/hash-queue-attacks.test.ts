import { mock } from 'node:test';
import { expect } from 'chai';
import { createHashQueue } from './hash-queue.ts';
import type { HashRequester } from './password.ts';

/** Two cores with the defaults of the service. */
const OPTIONS = { permits: 2, priorityPermits: 1, maxWaiting: 64, maxWaitMilliseconds: 3_000 };
/** Three hashes of 0.25 s, or of 0.4 s on a slow machine, share the cores. */
const HASH_MILLISECONDS = [375, 600];
const STEP_MILLISECONDS = 25;
const STEPS_PER_SECOND = 1_000 / STEP_MILLISECONDS;
/** Until then each attacker has had a first turn. The others go on beyond a minute, when attackers have priority again. */
const WARM_UP_SECONDS = 15;
const OTHERS = 45;
const SECONDS_BETWEEN_OTHERS = 2;
const SECONDS = WARM_UP_SECONDS + OTHERS * SECONDS_BETWEEN_OTHERS + 5;

type Attacker = (index: number, second: number) => Pick<HashRequester, 'knownAccountId'>;

/** The last one spreads the five accounts, so that some attacker has priority in each second. */
const ATTACKERS: [does: string, attacker: Attacker][] = [
  ['guess for strangers', () => ({})],
  ['sign in to their own account', (index) => ({ knownAccountId: `${index}` })],
  [
    'sign in to five accounts of their own',
    (index, second) => ({ knownAccountId: `${index} ${Math.floor((second + index) / 12) % 5}` }),
  ],
];

/** Passes virtual time. `arrive` sends what arrives in each step. */
const passSteps = async (arrive: (step: number) => void): Promise<void> => {
  for (let step = 0; step < SECONDS * STEPS_PER_SECOND; step += 1) {
    arrive(step);
    await new Promise(setImmediate);
    mock.timers.tick(STEP_MILLISECONDS);
    await new Promise(setImmediate);
  }
};

/** Each attacking network sends its limit of one sign-in a second. All others are in separate networks. */
const countServed = async (networks: number, attacker: Attacker, hashMilliseconds: number) => {
  const queue = createHashQueue(OPTIONS);
  const served = { 'new devices': 0, 'known devices': 0 };
  const hash = async (requester: HashRequester, device?: keyof typeof served): Promise<void> => {
    const { release } = await queue.acquire(requester);
    setTimeout(release, hashMilliseconds);
    if (device) served[device] += 1;
  };
  const send = (...hashed: Parameters<typeof hash>): void => void hash(...hashed).catch(() => undefined);
  await passSteps((step) => {
    const second = Math.floor(step / STEPS_PER_SECOND);
    for (let index = step % STEPS_PER_SECOND; index < networks; index += STEPS_PER_SECOND)
      send({ address: `203.0.113.${index}`, ...attacker(index, second) });
    const round = (step / STEPS_PER_SECOND - WARM_UP_SECONDS) / SECONDS_BETWEEN_OTHERS;
    if (!Number.isInteger(round) || round < 0 || round >= OTHERS) return;
    send({ address: `198.51.100.${round}` }, 'new devices');
    send({ address: `192.0.2.${round}`, knownAccountId: `owner ${round}` }, 'known devices');
  });
  return served;
};

describe('password hash queue under attack', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  for (const milliseconds of HASH_MILLISECONDS)
    for (const networks of [8, 16, 24, 64])
      for (const [does, attacker] of ATTACKERS)
        it(`serves all others while ${networks} networks ${does}, with hashes of ${milliseconds} ms`, async () => {
          const all = { 'new devices': OTHERS, 'known devices': OTHERS };
          expect(await countServed(networks, attacker, milliseconds)).to.deep.equal(all);
        });
});
