import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { REQUESTS_PER_MINUTE } from '../gateway/src/limits/requests-per-minute.ts';
import { SCOPES } from '../shared/src/platform/services/service-scopes.ts';
import { readDocBlocks } from './doc-commands.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EXCLUDED = new Set(['node_modules', '.git', '.bench']);
/** `compose.ts`, `team.test.ts`: a file name without a folder. */
const FILE_NAME = /^[\w.-]+\.(?:ts|mjs|cjs|ya?ml|json|md|css|html|svg)$/;
/** `x-routes.ts` stands for a file of any feature. The stack, the tests or operators create the others. */
const PLACEHOLDERS =
  /^(?:x[-.].*|stack\.json|secrets\.json|docker-compose\.override\.yml|test\/browser\/screenshots\/|test\/results)$/;

const findFiles = (folder = ''): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (EXCLUDED.has(entry.name) || entry.name.startsWith('.data')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? findFiles(path) : [path];
  });

const FILES = findFiles();
const FILE_NAMES = new Set(FILES.map((path) => basename(path)));
/** Without the data folders, whose files come and go with the stack. */
const ROOT_ENTRIES = new Set(readdirSync(ROOT).filter((name) => !name.startsWith('.data')));
const PAGES = FILES.filter((path) => path.endsWith('.md'));

/** The page without its code blocks, which contain examples. */
const readText = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub generates for the headings. */
const getAnchors = (page: string): string[] =>
  [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

const getLinkTargets = (page: string): string[] =>
  [...readText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

const getCodeSpans = (page: string): string[] =>
  [...readText(page).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);

/** The section of the heading, without those below it. */
const readSection = (page: string, heading: string): string =>
  (readText(page).split(new RegExp(`^#+ ${heading}$`, 'm'))[1] ?? '').split(/^#/m, 1)[0] ?? '';

/** The code spans in the first cell of each row of the section's tables. */
const listFirstCells = (page: string, heading: string): string[] =>
  [...readSection(page, heading).matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span),
  );

const listKeys = (file: string, key: string): string[] =>
  Object.keys((JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, object>)[key] ?? {});

/** A table that reads as complete: its page and heading, what there is, and what a first cell of it names. */
type CompleteTable = [page: string, heading: string, all: string[], toName?: (cell: string) => string];
const COMPLETE_TABLES: CompleteTable[] = [
  ['docs/other-services.md', 'Scopes', [...SCOPES]],
  ['SECURITY.md', 'Other services', [...SCOPES]],
  ['docs/limits.md', 'Requests per minute', Object.keys(REQUESTS_PER_MINUTE)],
  [
    'docs/deployment.md',
    'Kubernetes',
    ['overlays', 'components'].flatMap((folder) => readdirSync(join(ROOT, 'deploy/kubernetes', folder))),
  ],
  [
    'docs/development.md',
    'Development on this machine',
    listKeys('package.json', 'scripts').filter((name) => name !== 'start'),
    (cell) => cell.replace(/^npm (?:run )?/, '').split(' ', 1)[0] ?? '',
  ],
  [
    'openapi/client/README.md',
    'Install',
    listKeys('openapi/client/package.json', 'exports').map((path) => `@platform/client${path.slice(1)}`),
  ],
];

const findLinkError = (page: string, target: string): string | undefined => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return `${target}: no such file`;
  return anchor && !getAnchors(file).includes(anchor) ? `${target}: no such heading` : undefined;
};

/** Whether the code span is a path or file name that does not exist in this repository. */
const isMissingPath = (span: string): boolean => {
  if (PLACEHOLDERS.test(span)) return false;
  if (FILE_NAME.test(span)) return !FILE_NAMES.has(span);
  const [first = ''] = span.split('/', 1);
  if (!ROOT_ENTRIES.has(first) || first === span || !/^[\w./*-]+$/.test(span)) return false;
  return !existsSync(join(ROOT, span.replace(/\/?\*.*$/, '')));
};

describe('documentation', () => {
  for (const page of PAGES) {
    it(`${page} links only to existing files and headings`, () => {
      const local = getLinkTargets(page).filter((target) => !/^(?:https?:|mailto:|\/)/.test(target));
      expect(local.flatMap((target) => findLinkError(page, target) ?? [])).to.deep.equal([]);
    });

    // The changelog also names what was moved or removed.
    if (page !== 'CHANGELOG.md')
      it(`${page} names only existing paths in code spans`, () => {
        expect(getCodeSpans(page).filter(isMissingPath)).to.deep.equal([]);
      });
  }

  it('shows excerpts of examples that are in their files', () => {
    const excerpts = PAGES.flatMap((page) => readDocBlocks(readFileSync(join(ROOT, page), 'utf8'))).filter(
      ({ attribute }) => attribute.startsWith('examples/'),
    );
    expect(excerpts).not.to.be.empty;
    const isExcerpt = ({ attribute, lines }: (typeof excerpts)[number]) =>
      readFileSync(join(ROOT, attribute), 'utf8').includes(`${lines.join('\n')}\n`);
    expect(excerpts.filter((excerpt) => !isExcerpt(excerpt))).to.deep.equal([]);
  });

  for (const [page, heading, all, toName = (cell: string) => cell] of COMPLETE_TABLES)
    it(`${page} has a row for everything that its table under "${heading}" is about`, () => {
      expect(all).not.to.be.empty;
      expect([...new Set(listFirstCells(page, heading).map(toName))]).to.have.members(all);
    });

  it('has the numbers of requests per minute in docs/limits.md', () => {
    const rows = Object.entries(REQUESTS_PER_MINUTE).map(([name, limit]) => `| \`${name}\` | ${limit} |`);
    expect(rows.filter((row) => !readText('docs/limits.md').includes(row))).to.deep.equal([]);
  });

  it('links every page of docs in README.md', () => {
    const pages = PAGES.filter((page) => /^docs\/[\w-]+\.md$/.test(page));
    expect(getLinkTargets('README.md').map((target) => target.split('#', 1)[0])).to.include.members(pages);
  });

  it('contains the pages and headings that sources and settings name', () => {
    const sources = FILES.filter((path) => /\.(?:ts|mjs|ya?ml|sh|sql|example)$/.test(path));
    const named = sources.flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)].map(
        ([, page = '', heading = '']) => [page, heading] as const,
      ),
    );
    const missing = named.filter(
      ([page, heading]) => !(PAGES.includes(page) && readText(page).includes(heading && `# ${heading}\n`)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names every migration since the first release in docs/upgrading.md', () => {
    const [, ...added] = readdirSync(join(ROOT, 'migrate/migrations')).toSorted();
    expect(added).not.to.be.empty;
    const page = readText('docs/upgrading.md');
    expect(added.filter((file) => !page.includes(`\`${basename(file, '.ts')}\``))).to.deep.equal([]);
  });

  it('checks releases out by the commits of releases.json, also in a clone without tags', () => {
    const releases = JSON.parse(readFileSync(join(ROOT, 'releases.json'), 'utf8')) as {
      version: string;
      commit: string;
    }[];
    const clone = mkdtempSync(join(tmpdir(), 'clone-'));
    try {
      const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'pipe' });
      git('init', '--quiet');
      cpSync(join(ROOT, 'releases.json'), join(clone, 'releases.json'));
      git('add', 'releases.json');
      git(
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=ada@example.com',
        'commit',
        '--quiet',
        '--message=Releases',
      );
      git('update-ref', 'refs/remotes/origin/HEAD', 'HEAD');
      const commits = PAGES.flatMap((page) => [
        ...readFileSync(join(ROOT, page), 'utf8').matchAll(/^git checkout ("\$\(git show .+?\)")/gm),
      ]).map(([, commit]) => commit);
      expect(commits).not.to.be.empty;
      const planned = { version: '99.0.0', commit: '99.0.0 is not released' };
      for (const expression of commits)
        for (const { version, commit } of [...releases, planned])
          expect(
            execFileSync('sh', ['-c', `RELEASE=${version} && printf %s ${expression}`], {
              cwd: clone,
            }).toString(),
          ).to.equal(commit);
      const byTag = PAGES.filter((page) => /git checkout v\d/.test(readFileSync(join(ROOT, page), 'utf8')));
      expect(byTag).to.deep.equal([]);
    } finally {
      rmSync(clone, { recursive: true });
    }
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, String(name)))).to.deep.equal([]);
  });

  it('runs only existing programs', () => {
    const programs = PAGES.filter((page) => page !== 'CHANGELOG.md').flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/node run\.mjs ([\w./-]+)/g)].map(
        ([, path = '']) => path,
      ),
    );
    expect(programs).not.to.be.empty;
    expect(programs.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });
});
