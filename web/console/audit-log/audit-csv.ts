import type { AuditRecord } from '@platform/client';

const COLUMNS = [
  'time',
  'action',
  'actorId',
  'actorEmail',
  'targetType',
  'targetId',
  'targetName',
  'address',
  'requestId',
  'details',
] as const;

/**
 * The beginnings of formulas, in ordinary and in full width. Customers choose some of the texts, and some
 * spreadsheets split a line at each semicolon or tab, even between quotation marks, and drop these.
 */
const FORMULA = /(^|[;,\t\r\n])((?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])/g;

/** RFC 4180. An apostrophe makes a spreadsheet read a text. */
const toCell = (value: string): string => `"${value.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;

const toRow = ({ createdAt, details, ...record }: AuditRecord): string =>
  COLUMNS.map((column) => {
    if (column === 'time') return createdAt;
    if (column === 'details') return Object.keys(details).length > 0 ? JSON.stringify(details) : '';
    return record[column] ?? '';
  })
    .map(toCell)
    .join(',');

/** With a byte order mark, so that spreadsheets read UTF-8. */
export const toCsv = (records: readonly AuditRecord[]): string =>
  `\uFEFF${[COLUMNS.map(toCell).join(','), ...records.map(toRow)].join('\r\n')}\r\n`;

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
