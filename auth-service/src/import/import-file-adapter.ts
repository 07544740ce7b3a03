import { createReadStream } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { ConfigError } from '@platform/shared/config/env';
import type { Line, Rejection } from './import.ts';

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

/**
 * A file of JSON lines, which is read several times, and a second file next to it with the rejected lines.
 */
export const createImportFile = (path: string) => {
  const rejectedPath = `${path.replace(/\.jsonl$/, '')}.rejected.jsonl`;
  return {
    rejectedPath,
    readBatches: (size: number) => readBatches(path, size),
    /** Deletes the file of an earlier run. */
    removeRejected: () => rm(rejectedPath, { force: true }),
    /** Only its owner may read the file, because it contains password hashes. */
    addRejected: async (rejections: readonly Rejection[]): Promise<void> => {
      if (rejections.length === 0) return;
      const lines = rejections.map(
        ({ number, reason, text }) =>
          `{"line":${number},"reason":${JSON.stringify(reason)},"input":${toJson(text)}}\n`,
      );
      await appendFile(rejectedPath, lines.join(''), { mode: 0o600 });
    },
  };
};

export type ImportFile = ReturnType<typeof createImportFile>;
