import { Writable } from 'node:stream';

type LogLine = Record<string, unknown> & { level: string; msg: string };

/** A destination for `createLog` that keeps the lines. */
export const collectLogLines = () => {
  const lines: LogLine[] = [];
  const output = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  return { output, lines };
};
