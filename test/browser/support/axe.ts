import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Frames are excluded because they run no scripts. */
const runAxe = async (page: Page): Promise<AxeResults['violations']> => {
  await page.evaluate(AXE);
  const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };
  const options = { iframes: false, rules };
  return (await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)).violations;
};

const describeViolations = (violations: AxeResults['violations']): string[] =>
  violations.map(
    ({ impact, id, nodes }) => `${impact} ${id} at ${nodes.map(({ target }) => target).join(', ')}`,
  );

/** Lists serious and critical violations as `<impact> <rule> at <elements>`. */
export const findViolations = async (page: Page): Promise<string[]> =>
  describeViolations(
    (await runAxe(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'),
  );

/** Lists all violations. */
export const findAllViolations = async (page: Page): Promise<string[]> =>
  describeViolations(await runAxe(page));
