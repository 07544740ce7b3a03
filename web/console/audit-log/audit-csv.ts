import type { AuditRecord } from '@platform/client';
import { toCsv } from '../csv.ts';
import { hidesSignIns, type LogFilters } from './audit-log-queries.ts';

/** The Swedish locale writes ISO 8601, which every spreadsheet reads. */
const toLocalTime = (time: string): string => new Date(time).toLocaleString('sv-SE');

type Describe = (record: AuditRecord) => string;
type Column = [name: string, toValue: (record: AuditRecord) => string | null];

const toColumns = (describe: Describe): Column[] => [
  ['localTime', ({ createdAt }) => toLocalTime(createdAt)],
  ['time', ({ createdAt }) => createdAt],
  ['what', describe],
  ['action', ({ action }) => action],
  ['actorId', ({ actorId }) => actorId],
  ['actorName', ({ actorName }) => actorName],
  ['actorEmail', ({ actorEmail }) => actorEmail],
  ['actorPlatformRole', ({ actorPlatformRole }) => actorPlatformRole],
  ['targetType', ({ targetType }) => targetType],
  ['targetId', ({ targetId }) => targetId],
  ['targetName', ({ targetName }) => targetName],
  ['address', ({ address }) => address],
  ['requestId', ({ requestId }) => requestId],
  ['details', ({ details }) => (Object.keys(details).length > 0 ? JSON.stringify(details) : '')],
];

/** @param describe the sentence of a record */
export const toAuditCsv = (records: readonly AuditRecord[], describe: Describe): string => {
  const columns = toColumns(describe);
  return toCsv([
    columns.map(([name]) => name),
    ...records.map((record) => columns.map(([, toValue]) => toValue(record) ?? '')),
  ]);
};

/** The longest text of the filters, so that the file name stays short with many actions. */
const MAX_FILTERS = 100;

/** Says what the file contains, such as `audit-log 2026-11-27 Europe-Berlin.csv`; both days are those of the zone. */
export const nameOfFile = (filters: LogFilters, zone: string): string => {
  const { from, to, action, userId, actorId, targetId } = filters;
  // ISO 8601 separates the ends of an interval by two hyphens in file names.
  const days = from === to ? from : `${from ?? ''}--${to ?? ''}`;
  const left = hidesSignIns(filters) ? 'no-sign-ins' : undefined;
  const chosen = [days, userId, actorId, targetId, action, left]
    .filter(Boolean)
    .join(' ')
    .slice(0, MAX_FILTERS);
  return `${['audit-log', chosen, zone.replaceAll('/', '-')].filter(Boolean).join(' ')}.csv`;
};

const MAX_EXPORTED = 10_000;
const PER_PAGE = 100;

type Page = { data: readonly AuditRecord[]; nextCursor: string | null };
type ReadPage = (cursor: string | undefined, perPage: number) => Promise<Page>;

/** Reads page after page, until the end or the limit; `onProgress` gets the number of records. */
export const collectRecords = async (
  readPage: ReadPage,
  onProgress: (count: number) => void,
  max = MAX_EXPORTED,
): Promise<{ records: AuditRecord[]; isComplete: boolean }> => {
  const records: AuditRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor, Math.min(PER_PAGE, max - records.length));
    records.push(...page.data);
    onProgress(records.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && records.length < max);
  return { records, isComplete: cursor === undefined };
};
