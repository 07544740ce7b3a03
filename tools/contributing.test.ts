import { readFile } from 'node:fs/promises';
import { sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { applyDiff, readPageBlocks } from './doc-diffs.ts';

const PAGE = new URL('../CONTRIBUTING.md', import.meta.url);

describe('The seven steps of CONTRIBUTING.md', function () {
  this.timeout(120_000);
  let copy: CheckoutCopy;
  /** The copy's tests run against this run's stack: that saves them the start of one. */
  let env: NodeJS.ProcessEnv;

  /** Follows the page, but for one step. */
  const follow = async (leftOut?: number): Promise<void> => {
    const blocks = readPageBlocks(await readFile(PAGE, 'utf8')).filter(({ step }) => step !== leftOut);
    expect(blocks).to.have.length.above(3);
    for (const block of blocks)
      await copy.plant(
        block.path,
        block.kind === 'diff' ? applyDiff(await copy.read(block.path), block) : `${block.lines.join('\n')}\n`,
      );
    if (leftOut !== 2) await copy.generate();
  };

  const checkWithout = async (step: number, ...steps: string[]): Promise<string> => {
    await follow(step);
    const { code, output } = await copy.check(...steps);
    expect(code, output).to.equal(1);
    return output;
  };

  before('start the stack', async () => {
    const { dataDir } = await sharedStack();
    env = { ...process.env, TEST_STACK_DIR: dataDir };
  });
  beforeEach(async () => {
    copy = await createCheckoutCopy();
  });
  afterEach(() => copy.removeAll());

  it('When they are followed, then npm run check passes, and so do the new stories', async () => {
    await follow();
    const { code, output } = await copy.check('generated', 'contract', 'style', 'types', 'imports');
    expect(code, output).to.equal(0);
    const stories = await copy.test(env, 'admin-service/test/team-suspension.test.ts');
    expect(stories.output).to.match(/^2 passed, 0 failed, 0 skipped$/m);
  });

  it('When the description is left out, then the compiler knows no such operation', async () => {
    expect(await checkWithout(1, 'types')).to.match(/teams-routes\.ts.*suspendTeam/);
  });

  it('When the types are not generated, then the check says that they are stale', async () => {
    expect(await checkWithout(2, 'generated')).to.include('openapi/types/admin.ts is stale');
  });

  it('When decision, story and SQL are left out, then the compiler misses them', async () => {
    const output = await checkWithout(3, 'types');
    expect(output).to.match(/teams-routes\.ts.*Property 'suspendTeam' does not exist/);
  });

  it('When the handler is left out, then the compiler misses it in compose.ts', async () => {
    const output = await checkWithout(4, 'types');
    expect(output).to.include('admin-service/src/compose.ts').and.to.include("'suspendTeam' is missing");
  });

  it('When the row is left out, then the route has none in the table of who may call it', async () => {
    await follow(6);
    const { code, output } = await copy.test(
      env,
      'test/system/route-matrix.test.ts',
      'then the table has a row for it',
    );
    expect(output)
      .to.include('POST /administrator/teams/{teamId}/suspend')
      .and.to.match(/^1 passed, 1 failed/m);
    expect(code).to.equal(1);
  });
});
