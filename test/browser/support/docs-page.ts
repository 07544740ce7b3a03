import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

/** What a person does on a page of the API's documentation. */
export const onDocsPage = (page: Page) => {
  const operation = (id: string): Locator => page.locator(`.opblock[id$="-${id}"]`);

  const expand = async (id: string): Promise<Locator> => {
    const block = operation(id);
    if (!(await block.locator('.opblock-body').isVisible()))
      await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').waitFor();
    return block;
  };

  /** Executes the operation as its fields are, with another body if one is given; the answer that the page then shows. */
  const execute = async (id: string, body?: object): Promise<{ status: number; text: string }> => {
    const block = await expand(id);
    const clear = block.locator('.btn-clear');
    if (await clear.isVisible()) await clear.click();
    if (body) await block.locator('.body-param textarea').fill(JSON.stringify(body));
    await block.locator('.execute').click();
    const answer = block.locator('.live-responses-table .response');
    await answer.waitFor();
    const status = Number.parseInt(await answer.locator('.response-col_status').innerText(), 10);
    return { status, text: await answer.locator('.response-col_description').innerText() };
  };

  const field = async (id: string, name: string): Promise<string> => {
    const block = await expand(id);
    return await block.locator(`[data-param-name="${name}"] input`).inputValue();
  };

  /** At first the document's example. */
  const body = async (id: string): Promise<object> => {
    const block = await expand(id);
    return JSON.parse(await block.locator('.body-param textarea').inputValue());
  };

  const openAuthorization = async (): Promise<Locator> => {
    await page.locator('.auth-wrapper .authorize').first().click();
    const dialog = page.locator('.dialog-ux .modal-ux');
    await dialog.waitFor();
    return dialog;
  };

  const collapse = async (id: string): Promise<void> => {
    await operation(id).locator('.opblock-summary-control').click();
    await operation(id).locator('.opblock-body').waitFor({ state: 'detached' });
  };

  return {
    expand,
    collapse,
    execute,
    field,
    body,
    openAuthorization,
    ready: () => page.locator('.opblock').first().waitFor(),
    operationIds: async (): Promise<string[]> => {
      const ids = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.opblock')].map(({ id }) => id)`,
      );
      return ids.map((id) => id.slice(id.lastIndexOf('-') + 1));
    },
    /** The operation's padlock: closed once a token is filled in. */
    isLocked: async (id: string): Promise<boolean> =>
      (await operation(id).locator('.authorization__btn').getAttribute('aria-label')) ===
      'authorization button locked',
    expectNoOverflow: async (what = 'the page'): Promise<void> => {
      // Not window.innerWidth: a phone zooms out until what is too wide fits.
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, `the width of ${what}`).to.be.at.most(page.viewportSize()?.width ?? 0);
    },
  };
};
