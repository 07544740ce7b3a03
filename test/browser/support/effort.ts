import type { BrowserContext, Page } from 'playwright-core';

export type Effort = { keys: number; clicks: number };

/** Counts each key, also Shift and Control, and each click of a person, until the page is loaded again. */
export const watchEffort = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const page = globalThis as unknown as {
      effort: Effort;
      addEventListener: (name: string, listener: () => void, isCapture: boolean) => void;
    };
    page.effort = { keys: 0, clicks: 0 };
    const count = (event: string, name: keyof Effort) =>
      page.addEventListener(
        event,
        () => {
          page.effort[name] += 1;
        },
        true,
      );
    count('keydown', 'keys');
    count('pointerdown', 'clicks');
  });

/** Returns what `work` needs on this page. */
export const countEffort = async (page: Page, work: () => Promise<unknown>): Promise<Effort> => {
  await page.evaluate('effort = { keys: 0, clicks: 0 }');
  await work();
  return await page.evaluate<Effort>('effort');
};
