import { createReadStream } from 'node:fs';
import { appendFile, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '@platform/shared/config/env';
import type { Line, LineWithReason } from './import.ts';

/** Longer than any user. A file without line breaks must not fill the memory. */
const MAX_LINE_LENGTH = 100_000;

/**
 * Splits only at line feeds. JSON may contain the other line breaks of Unicode, at which node:readline
 * splits.
 */
const readLines = async function* (path: string): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { number: ++number, text };
    if (rest.length > MAX_LINE_LENGTH)
      throw new ConfigError(`Line ${number + 1} is too long; the file must have one JSON object per line`);
  }
  yield { number: number + 1, text: rest };
};

/** Ignores lines without text, and a byte order mark, which is white space in JavaScript. */
const readBatches = async function* (path: string, size: number): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  for await (const { number, text: read } of readLines(path)) {
    const text = read.trim();
    if (text === '') continue;
    batch.push({ number, text });
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
};

/** Keeps JSON unchanged, so that corrected lines can be taken from the file. Other text becomes a string. */
const toJson = (text: string): string => {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
};

/** A file of lines with the reasons why they were not imported. */
const createReasonsFile = (path: string) => ({
  path,
  /** Deletes the file of an earlier run. */
  remove: () => rm(path, { force: true }),
  /** Only its owner may read the file, because it contains password hashes. */
  add: async (lines: readonly LineWithReason[]): Promise<void> => {
    if (lines.length === 0) return;
    const texts = lines.map(
      ({ number, reason, text }) =>
        `{"line":${number},"reason":${JSON.stringify(reason)},"input":${toJson(text)}}\n`,
    );
    await appendFile(path, texts.join(''), { mode: 0o600 });
  },
});

/** A pipe, also behind /dev/stdin, returns its content only once. */
const isRegularFile = async (path: string): Promise<boolean> =>
  (await stat(path)).isFile() && !/^\/(dev|proc)\//.test(resolve(path));

/**
 * A file of JSON lines, which is read twice, and two files next to it with the lines that are not imported.
 * @throws ConfigError if it is not a regular file
 */
export const openImportFile = async (path: string) => {
  if (!(await isRegularFile(path)))
    throw new ConfigError(
      `${path} is not a regular file, and cannot be read twice: save the lines in a file`,
    );
  const base = path.replace(/\.jsonl$/, '');
  return {
    readBatches: (size: number) => readBatches(path, size),
    rejected: createReasonsFile(`${base}.rejected.jsonl`),
    unverified: createReasonsFile(`${base}.unverified.jsonl`),
  };
};

export type ImportFile = Awaited<ReturnType<typeof openImportFile>>;
