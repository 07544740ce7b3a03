import { sharedStack } from '@platform/shared/testing/shared-stack';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { listTests, RECIPES } from './recipes.ts';

describe('recipes of CONTRIBUTING.md', () => {
  let copy: CheckoutCopy;
  /** The copy's tests use the stack of this run, so that they need not start another one. */
  let env: NodeJS.ProcessEnv;
  before('copy the checkout and start the stack', async () => {
    copy = await createCheckoutCopy();
    const { dataDir } = await sharedStack();
    env = { ...process.env, TEST_STACK_DIR: dataDir };
  });
  after(() => copy.removeAll());

  it('pass npm run check and their tests', async () => {
    for (const patch of RECIPES) await copy.apply(patch);
    await copy.generate();
    await copy.run('mailer-worker/testing/preview/run-mails-preview.ts');
    const { code, output } = await copy.check();
    expect(code, output).to.equal(0);
    const others = ['migrate/test/*.test.ts', 'mailer-worker/src/templates/*.test.ts'];
    const tests = await copy.test(env, ...RECIPES.flatMap(listTests), ...others);
    const notPassed = /^\d+ passed, (.*)$/m.exec(tests.output)?.[1];
    expect(notPassed, tests.output).to.equal('0 failed, 0 skipped');
  });
});
