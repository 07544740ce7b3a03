import type { Statistics } from '../statistics.ts';

type Day = Statistics['days'][number];

/** Today, which is not over, and the 13 days before it. */
const SHOWN = 14;

const COUNTS = {
  signUps: ({ signUps }: Day) => signUps.customers + signUps.employees,
  signIns: ({ signIns }: Day) => signIns,
  failedSignIns: ({ failedSignIns }: Day) => failedSignIns,
};
export type Kind = keyof typeof COUNTS;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** One row of numbers: each day, their sum, that of the 14 days before, and the change between them. */
export const countDays = (days: readonly Day[], kind: Kind) => {
  const values = days.slice(-SHOWN).map(COUNTS[kind]);
  const total = sum(values);
  const before = sum(days.slice(-2 * SHOWN, -SHOWN).map(COUNTS[kind]));
  // There is no percentage of zero.
  const change = before === 0 ? undefined : (total - before) / before;
  return { values, total, before, change };
};

export const listShownDays = (days: readonly Day[]): string[] => days.slice(-SHOWN).map(({ day }) => day);
