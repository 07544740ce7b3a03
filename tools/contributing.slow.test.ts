import { readFile } from 'node:fs/promises';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { readDocBlocks } from './doc-commands.ts';

const PAGE = new URL('../CONTRIBUTING.md', import.meta.url);

/** @throws Error unless the text contains the lines before the change exactly once */
const applyDiff = (path: string, text: string, lines: readonly string[]): string => {
  const selectLines = (prefixes: string) =>
    lines
      .filter((line) => prefixes.includes(line[0] ?? ' '))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [selectLines(' -'), selectLines(' +')];
  const count = text.split(before).length - 1;
  if (count !== 1) throw new Error(`${path} contains these lines ${count} times instead of once:\n${before}`);
  return text.replace(before, () => after);
};

describe('the seven steps of CONTRIBUTING.md', () => {
  let copy: CheckoutCopy;
  /** The copy's tests use the stack of this run, so that they need not start another one. */
  let env: NodeJS.ProcessEnv;
  before('copy the checkout and start the stack', async () => {
    copy = await createCheckoutCopy();
    const { dataDir } = await sharedStack();
    env = { ...process.env, TEST_STACK_DIR: dataDir };
  });
  after(() => copy.removeAll());

  it('pass npm run check and the new tests', async () => {
    // The attribute of a block is the path of its file.
    const blocks = readDocBlocks(await readFile(PAGE, 'utf8')).filter(({ attribute }) => attribute !== '');
    expect(blocks).not.to.be.empty;
    for (const { language, attribute: path, lines } of blocks)
      await copy.writeFile(
        path,
        language === 'diff' ? applyDiff(path, await copy.read(path), lines) : `${lines.join('\n')}\n`,
      );
    await copy.generate();
    const { code, output } = await copy.check();
    expect(code, output).to.equal(0);
    const added = blocks.find(({ attribute }) => attribute.endsWith('.test.ts'));
    const tests = await copy.test(env, added?.attribute ?? '');
    expect(tests.output).to.match(/^2 passed, 0 failed, 0 skipped$/m);
  });
});
