import { createDice } from './dice.ts';

/** As jsonb_to_recordset reads it. The emails name users; `at` is in ISO 8601. */
export type DemoRecord = {
  action: string;
  actor: string | null;
  target: string | null;
  address: string;
  details: object;
  at: string;
};

export type SigningIn = {
  email: string;
  kind: 'customer' | 'employee' | 'administrator';
  methods: readonly string[];
  /** When the account was registered, and since when it is blocked: days before now. */
  daysAgo: number;
  blockedDaysAgo: number | undefined;
};

const DAY = 86_400_000;
const MINUTE = 60_000;
/** The period that the overview can show. */
const DAYS = 90;

const DEVICES = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
];
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

const isWeekend = (time: number): boolean => [0, 6].includes(new Date(time).getUTCDay());

type Moment = { time: number; userAgent: string; address: string; isNewDevice: boolean };

const toRecord = (
  action: string,
  { email, kind }: Pick<SigningIn, 'email' | 'kind'>,
  { time, userAgent, address, isNewDevice }: Moment,
  details: object,
): DemoRecord => ({
  action,
  actor: action === 'SIGNED_IN' ? email : null,
  target: email,
  address,
  details: { kind, ...details, userAgent, isNewDevice },
  at: new Date(time).toISOString(),
});

/** When the person came, and with which device: the main one or another. */
const listVisits = (person: SigningIn, index: number, now: number) => {
  const { happens, between } = createDice(index + 1);
  const registered = now - person.daysAgo * DAY;
  const midnight = now - (now % DAY);
  const eagerness = person.kind === 'administrator' ? 0.6 : between(0.03, 0.25);
  return Array.from({ length: DAYS + 1 }, (_, index) => {
    const time = midnight - (DAYS - index) * DAY + between(6.5, 21) * 60 * MINUTE;
    const isMain = happens(0.85);
    const wants = happens(isWeekend(time) ? eagerness / 3 : eagerness);
    // Somebody who has registered has signed in, as in life.
    const isFirst = time - registered < DAY;
    return { time, isMain, isVisit: (wants || isFirst) && time > registered && time < now - MINUTE };
  }).filter(({ isVisit }) => isVisit);
};

/** The sign-ins of the last ninety days, and those that failed: typing errors and blocked people. */
const listSignInsOf = (person: SigningIn, index: number, now: number): DemoRecord[] => {
  const { happens, between } = createDice(index + 1_000);
  const blocked = person.blockedDaysAgo === undefined ? now : now - person.blockedDaysAgo * DAY;
  const known = new Set(person.daysAgo > DAYS ? [at(DEVICES, index)] : []);
  return listVisits(person, index, now).flatMap(({ time, isMain }) => {
    const userAgent = at(DEVICES, isMain ? index : index + 2);
    const address = `203.0.113.${1 + ((index * 7 + (isMain ? 0 : 3)) % 250)}`;
    const moment = { time, userAgent, address, isNewDevice: !known.has(userAgent) };
    const fail = (reason: string, before: number) => {
      const failed = { ...moment, time: time - before * 40_000 };
      return toRecord('SIGN_IN_FAILED', person, failed, { reason, methods: [] });
    };
    if (time > blocked) return [fail('BLOCKED', 0)];
    const typingErrors = happens(0.12) && known.size > 0 ? Math.ceil(between(0, 3)) : 0;
    known.add(userAgent);
    return [
      ...Array.from({ length: typingErrors }, (_, count) => fail('WRONG_PASSWORD', typingErrors - count)),
      toRecord('SIGNED_IN', person, moment, { methods: person.methods }),
    ];
  });
};

/** Somebody tries addresses that have no account. */
const listStrangers = (now: number): DemoRecord[] =>
  Array.from({ length: 14 }, (_, index) => ({
    action: 'SIGN_IN_FAILED',
    actor: null,
    target: null,
    address: '198.51.100.23',
    details: {
      kind: 'customer',
      reason: 'WRONG_PASSWORD',
      methods: [],
      userAgent: 'curl/8.12.1',
      isNewDevice: true,
    },
    at: new Date(now - 3.3 * DAY + index * 9_000).toISOString(),
  }));

export const listSignIns = (people: readonly SigningIn[], now: number): DemoRecord[] => [
  ...people.flatMap((person, index) => listSignInsOf(person, index, now)),
  ...listStrangers(now),
];
