import { readFile } from 'node:fs/promises';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { applyDiff, readDocBlocks } from './doc-diffs.ts';

const PAGE = new URL('../CONTRIBUTING.md', import.meta.url);

describe('the seven steps of CONTRIBUTING.md', () => {
  let copy: CheckoutCopy;
  /** The tests of the copy use the stack of this run, which saves starting another one. */
  let env: NodeJS.ProcessEnv;

  /** Applies all steps of the page, or all but one. */
  const applySteps = async (omitted?: number): Promise<void> => {
    const blocks = readDocBlocks(await readFile(PAGE, 'utf8')).filter(({ step }) => step !== omitted);
    expect(blocks).to.have.length.above(3);
    for (const block of blocks)
      await copy.writeFile(
        block.path,
        block.kind === 'diff' ? applyDiff(await copy.read(block.path), block) : `${block.lines.join('\n')}\n`,
      );
    await copy.generate();
  };

  before('start the stack', async () => {
    const { dataDir } = await sharedStack();
    env = { ...process.env, TEST_STACK_DIR: dataDir };
  });
  beforeEach(async () => {
    copy = await createCheckoutCopy();
  });
  afterEach(() => copy.removeAll());

  it('pass all of npm run check and the new tests', async () => {
    await applySteps();
    const { code, output } = await copy.check();
    expect(code, output).to.equal(0);
    const tests = await copy.test(env, 'admin-service/test/teams/team-suspension.test.ts');
    expect(tests.output).to.match(/^2 passed, 0 failed, 0 skipped$/m);
  });

  it('fail in the compiler without the OpenAPI operation (step 1)', async () => {
    await applySteps(1);
    const { code, output } = await copy.check('types');
    expect(output).to.match(/teams-routes\.ts.*suspendTeam/);
    expect(code).to.equal(1);
  });

  it('fail in the route matrix without its row (step 6)', async () => {
    await applySteps(6);
    const { code, output } = await copy.test(
      env,
      'test/system/route-matrix.test.ts',
      'covers each operation of the documents',
    );
    expect(output)
      .to.include('POST /administrator/teams/{teamId}/suspend')
      .and.to.match(/^0 passed, 1 failed/m);
    expect(code).to.equal(1);
  });
});
