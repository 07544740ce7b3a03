import { readFile } from 'node:fs/promises';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { escapeRegExp, readDocBlocks } from './doc-commands.ts';

const PAGE = new URL('../CONTRIBUTING.md', import.meta.url);

/**
 * In a removed line, `…` stands for any text. @throws Error unless the text contains the lines before the
 * change exactly once
 */
const applyDiff = (path: string, text: string, lines: readonly string[]): string => {
  const before = lines
    .filter((line) => !line.startsWith('+'))
    .map((line) => {
      const content = escapeRegExp(line.slice(1));
      return line.startsWith('-') ? content.replaceAll('…', '[^\\n]*') : content;
    });
  const after = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const pattern = new RegExp(before.join('\\n'), 'g');
  const count = text.match(pattern)?.length ?? 0;
  if (count !== 1) throw new Error(`${path} matches ${count} times instead of once:\n${lines.join('\n')}`);
  return text.replace(pattern, () => after.join('\n'));
};

describe('the examples of CONTRIBUTING.md', () => {
  let copy: CheckoutCopy;
  /** The copy's tests use the stack of this run, so that they need not start another one. */
  let env: NodeJS.ProcessEnv;
  before('copy the checkout and start the stack', async () => {
    copy = await createCheckoutCopy();
    const { dataDir } = await sharedStack();
    env = { ...process.env, TEST_STACK_DIR: dataDir };
  });
  after(() => copy.removeAll());

  it('pass npm run check and the tests that they change', async () => {
    // The attribute of a block is the path of its file.
    const blocks = readDocBlocks(await readFile(PAGE, 'utf8')).filter(({ attribute }) => attribute !== '');
    expect(blocks).not.to.be.empty;
    for (const { language, attribute: path, lines } of blocks)
      await copy.writeFile(
        path,
        language === 'diff' ? applyDiff(path, await copy.read(path), lines) : `${lines.join('\n')}\n`,
      );
    await copy.generate();
    await copy.run('mailer-worker/testing/preview/run-mails-preview.ts');
    const { code, output } = await copy.check();
    expect(code, output).to.equal(0);
    const files = blocks.map(({ attribute }) => attribute).filter((path) => path.endsWith('.test.ts'));
    expect(files).to.have.length(3);
    const others = ['migrate/test/*.test.ts', 'mailer-worker/src/templates/*.test.ts'];
    const tests = await copy.test(env, ...files, ...others);
    expect(tests.output).to.match(/^\d+ passed, 0 failed, 0 skipped$/m);
  });
});
