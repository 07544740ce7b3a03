import { type Label, readTestBench } from './test-bench.ts';

/** The part of the context of `node:test` that is used. */
type TestContext = { after: (work: () => Promise<void>) => void };

/**
 * A label for one test of `node:test`, which is deleted after it.
 * @example
 * test('a blocked customer', async (t) => {
 *   const bench = useTestBench(t);
 *   const ada = await bench.person({ is: 'blocked' });
 * });
 */
export const useTestBench = (context: TestContext): Label => {
  const label = readTestBench().label();
  context.after(() => label.delete());
  return label;
};
