import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');

/** Rendered from recorded runs, which name their command. */
const withoutFigures = (page: string): string =>
  page.replace(/<!-- figures: [\w -]+ -->[\s\S]*?<!-- \/figures -->/g, '');

const isRow = (line: string): boolean => line.startsWith('|');

/** Paragraphs, list items and table rows, each as one line; no headings, code blocks and head rows. */
const readStatements = (page: string): string[] => {
  const text = withoutFigures(page)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/^\|.*\|\n\| ---.*\|$/gm, '')
    .replace(/^#+ .*$/gm, '\n');
  return text
    .split(/\n\s*\n|\n(?=\|)|\n(?=\d+\. )|\n(?= *- )/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
};

/** A number with the unit of a measurement or of an effort; settings and arithmetic have others. */
const MEASUREMENT =
  /\d (?:ms|µs|MB per|requests per|sign-ins per|accounts per|commands per|cores|bytes)\b|\d-fold|\d ×/;
const EVIDENCE =
  /`(?:npm run|npm test)[^`]*`|`[\w./-]+\.test\.ts`|bench\/results\/|estimate|\*\*not tried\*\*/i;

const commandsOf = (page: string, script: string): string[] =>
  [...page.matchAll(new RegExp(`\`npm run ${script} -- ([^\`]+)\``, 'g'))].flatMap(([, names = '']) =>
    names.split(' ').filter((name) => !name.startsWith('--')),
  );

const readSources = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n');

/** Names as keys or strings, in the sources of the program that accepts them. */
const findUnknown = (names: readonly string[], sources: string): string[] =>
  names.filter((name) => !new RegExp(`['\`]${name}['\`]|^ +${name}: `, 'm').test(sources));

describe('claims of docs/scaling.md', () => {
  const statements = readStatements(PAGE);

  it('with a measurement name a command, a recorded result or "estimate"', () => {
    const bare = statements.filter((text) => MEASUREMENT.test(text) && !EVIDENCE.test(text));
    expect(bare).to.deep.equal([]);
  });

  it('in tables name a command, a test, "estimate" or "not tried" in their last cell', () => {
    const rows = statements.filter(isRow);
    expect(rows).to.have.length.above(20);
    const bare = rows.filter((row) => !EVIDENCE.test(row.split('|').at(-2) ?? ''));
    expect(bare).to.deep.equal([]);
  });

  it('name only existing scenarios, suites and test files', () => {
    const unknown = [
      ...findUnknown(commandsOf(PAGE, 'bench'), readFileSync(join(ROOT, 'bench/bench.ts'), 'utf8')),
      ...findUnknown(commandsOf(PAGE, 'test:failover'), readSources('test/resilience')),
      ...findUnknown(commandsOf(PAGE, 'test:resilience'), readSources('test/resilience')),
      ...[...PAGE.matchAll(/[\w./-]+\.test\.ts/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(ROOT, path))),
    ];
    expect(unknown).to.deep.equal([]);
  });

  it('are read as statements of paragraphs, items and rows', () => {
    const page = '# A\n\none\ntwo\n\n1. x\n   y\n2. z\n\n| a | b |\n| --- | --- |\n| c | 5 ms |\n| d | e |\n';
    expect(readStatements(page)).to.deep.equal(['one two', '1. x y', '2. z', '| c | 5 ms |', '| d | e |']);
    expect(MEASUREMENT.test('| c | 5 ms |') && !EVIDENCE.test('| c | 5 ms |')).to.equal(true);
  });
});
