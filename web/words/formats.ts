import { getLanguage } from './language.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** British English has the order of the German dates, and no AM or PM. */
const LOCALES = { en: 'en-GB', de: 'de-DE' } as const;
const locale = (): string => LOCALES[getLanguage()];

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const DATE_AND_TIME = { ...DATE, hour: '2-digit', minute: '2-digit' } as const;
const EXACT = { ...DATE_AND_TIME, second: '2-digit', timeZoneName: 'short' } as const;

const format = (moment: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), options).format(moment);

const formatDate = (moment: Date): string => format(moment, DATE);
/** A date with the month in words: `3 March 2026`. */
export const formatLongDate = (moment: Date): string => format(moment, { ...DATE, month: 'long' });
export const formatDateAndTime = (moment: Date): string => format(moment, DATE_AND_TIME);
/** A moment with seconds and the reader's time zone. */
export const formatExactly = (moment: Date): string => format(moment, EXACT);
export const formatTime = (moment: Date): string => format(moment, { hour: '2-digit', minute: '2-digit' });

/** `5 min ago` up to a day, then the date. A moment in the future counts as now, because clocks differ. */
export const formatAge = (moment: Date, style: 'short' | 'long' = 'short'): string => {
  const age = Date.now() - moment.getTime();
  if (age >= DAY || age < -MINUTE) return formatDate(moment);
  const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style });
  if (age < MINUTE) return relative.format(0, 'second');
  return age < HOUR
    ? relative.format(-Math.floor(age / MINUTE), 'minute')
    : relative.format(-Math.floor(age / HOUR), 'hour');
};

const formatUnit = (value: number, unit: 'day' | 'hour' | 'minute' | 'second'): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);

/** How long something has lasted, in its largest unit: `2 days`. */
export const formatSpan = (since: Date, now = Date.now()): string => {
  const age = Math.max(0, now - since.getTime());
  const units = [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
  ] as const;
  const [unit, milliseconds] = units.find(([, length]) => age >= length) ?? ['minute', MINUTE];
  return formatUnit(Math.floor(age / milliseconds), unit);
};

/** A day of UTC, such as 2026-11-24, without its year. */
export const formatDay = (day = ''): string =>
  day && format(new Date(day), { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day of the reader, such as Thursday, 26 November 2026. */
export const formatLongDay = (moment: Date): string =>
  format(moment, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** A change with its sign: `+12 %`. */
export const formatChange = (change: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', signDisplay: 'exceptZero' }).format(change);

export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** Joins words: `title, category and description`. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items);

/** `4:05` as words: `4 minutes 5 seconds`. */
export const formatSeconds = (seconds: number): string => {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3_600),
    Math.floor((seconds % 3_600) / 60),
    seconds % 60,
  ];
  const parts = [
    ...(hours > 0 ? [formatUnit(hours, 'hour')] : []),
    ...(minutes > 0 ? [formatUnit(minutes, 'minute')] : []),
    ...(rest > 0 && hours === 0 ? [formatUnit(rest, 'second')] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : formatUnit(0, 'second');
};

/** `1:57` or `1:02:03`, for a countdown that is watched. */
export const formatClock = (seconds: number): string => {
  const rest = [Math.floor((seconds % 3_600) / 60), seconds % 60];
  const parts = seconds < 3_600 ? rest : [Math.floor(seconds / 3_600), ...rest];
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
};
