const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight of the reader's day, `offset` days later; undefined if the URL has no such day. */
const toMoment = (day: string | undefined, offset: number): string | undefined => {
  if (day === undefined || !DAY.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + offset);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
};

/** The moments of a range of days, both included, in the reader's time zone. */
export const toRange = (from: string | undefined, to: string | undefined) => ({
  from: toMoment(from, 0),
  until: toMoment(to, 1),
});

const toText = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The day of so many days ago, in the reader's time zone. */
export const dayBefore = (days: number, now = new Date()): string =>
  toText(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
