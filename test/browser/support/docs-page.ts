import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

/** The document of the page, with each group as Swagger UI writes it in an id. */
const READ_GROUPS = `fetch('openapi.json').then((response) => response.json()).then(({ paths }) =>
  Object.fromEntries(Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId)
    .map(({ operationId, tags }) => [operationId, tags[0].replaceAll(' ', '_')])))`;

/** Page object of an API documentation page. */
export const createDocsPage = (page: Page) => {
  /** The group of each operation, by its id. */
  let groups: Record<string, string> = {};

  /** Waits until the page is ready. */
  const ready = async (): Promise<void> => {
    await page.locator('.opblock-tag').first().waitFor();
    groups = await page.evaluate<Record<string, string>>(READ_GROUPS);
  };

  const operation = (id: string): Locator => page.locator(`.opblock[id$="-${id}"]`);

  /** Opens one group: if all were open, Swagger UI would render only the operations that are in view. */
  const openGroupOf = async (id: string): Promise<void> => {
    const group = page.locator(`[id="operations-tag-${groups[id]}"]`);
    if ((await group.getAttribute('data-is-open')) === 'false') await group.click();
  };

  const expand = async (id: string): Promise<Locator> => {
    await openGroupOf(id);
    const block = operation(id);
    if (!(await block.locator('.opblock-body').isVisible()))
      await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').waitFor();
    return block;
  };

  /**
   * Executes the operation with its current fields and, if given, another body. Returns the response that the
   * page shows.
   */
  const execute = async (id: string, body?: object): Promise<{ status: number; text: string }> => {
    const block = await expand(id);
    const clear = block.locator('.btn-clear');
    if (await clear.isVisible()) await clear.click();
    if (body) await block.locator('.body-param textarea').fill(JSON.stringify(body));
    await block.locator('.execute').click();
    const response = block.locator('.live-responses-table .response');
    await response.waitFor();
    const status = Number.parseInt(await response.locator('.response-col_status').innerText(), 10);
    return { status, text: await response.locator('.response-col_description').innerText() };
  };

  const field = async (id: string, name: string): Promise<string> => {
    const block = await expand(id);
    return await block.locator(`[data-param-name="${name}"] input`).inputValue();
  };

  /** Returns the request body, which is initially the example of the OpenAPI document. */
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

  /** Types into the search box, and resolves when only these operations are left. */
  const search = async (text: string, ids: string[]): Promise<void> => {
    await page.locator('.operation-filter-input').fill(text);
    for (const id of ids) await operation(id).waitFor();
    await page.locator('.opblock').nth(ids.length).waitFor({ state: 'detached' });
  };

  /** Selects one of the named examples of the request body. */
  const selectExample = async (id: string, name: string): Promise<void> => {
    const block = await expand(id);
    await block.locator('.opblock-section-request-body .examples-select select').selectOption(name);
  };

  return {
    search,
    selectExample,
    expand,
    collapse,
    execute,
    field,
    body,
    openAuthorization,
    ready,
    operationIds: (): string[] => Object.keys(groups),
    /** Whether the padlock of the operation is closed because a token is set. */
    isLocked: async (id: string): Promise<boolean> => {
      await openGroupOf(id);
      const label = await operation(id).locator('.authorization__btn').getAttribute('aria-label');
      return label === 'authorization button locked';
    },
    expectNoOverflow: async (subject = 'the page'): Promise<void> => {
      // window.innerWidth would be wrong, because a phone zooms out until wide content fits.
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, `the width of ${subject}`).to.be.at.most(page.viewportSize()?.width ?? 0);
    },
  };
};
