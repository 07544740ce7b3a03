import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'coverage']);
/** Written about before they are there: to be taken out of this list once they are. */
const COMING: string[] = [];

const findPages = (folder = ''): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findPages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });

/** What stands in a fence is an example. */
const textOf = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

const targetsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** Why the target leads nowhere, if so. */
const findFault = (page: string, target: string): string | undefined => {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (COMING.includes(file)) return undefined;
  if (!existsSync(join(ROOT, file))) return `${target}: no such file`;
  return anchor && !anchorsOf(file).includes(anchor) ? `${target}: no such heading` : undefined;
};

const PAGES = findPages();

describe('The pages', () => {
  for (const page of PAGES)
    it(`When ${page} links to a file or heading of ours, or names one, then it is there`, () => {
      const links = targetsOf(page).filter((target) => !/^(?:https?:|mailto:|\/)/.test(target));
      const faults = links.flatMap((target) => findFault(page, target) ?? []);
      const named = [...textOf(page).matchAll(/`([a-z-]+\/[\w./-]+\.(?:ts|yaml|json|css|html))`/g)];
      const missing = named.flatMap(([, path = '']) =>
        existsSync(join(ROOT, path)) ? [] : [`${path}: no such file`],
      );
      expect([...faults, ...missing]).to.deep.equal([]);
    });

  it('When a page names a script, then package.json has it', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, String(name)))).to.deep.equal([]);
  });

  it('When there is a decision, then the index has it', () => {
    const decisions = readdirSync(join(ROOT, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
    expect(targetsOf('docs/adr/README.md').filter((target) => /^\d{4}-/.test(target))).to.deep.equal(
      decisions.sort(),
    );
  });
});
