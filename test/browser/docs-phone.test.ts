import { expect } from 'chai';
import { browserTest, PHONE } from './support/browser-test.ts';
import { createDocsPage } from './support/docs-page.ts';
import { getPlatform } from './support/platform.ts';

const AUTHENTICATION = '/api';
const BACK_OFFICE = '/api/v1/docs';
/** The tags of the authentication page, and the prefix of the ids of their operations. Employees have those of customers. */
const PREFIXES = {
  customers: /^customer/,
  administrators: /^(administrator|invitation)/,
  'every kind': /^(universal|oidc|botCheck)/,
};

type Docs = ReturnType<typeof createDocsPage>;

describe('documentation page on a phone', () => {
  const phoneTest = (path: string, test: (docs: Docs, ids: string[]) => Promise<void>) =>
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(PHONE);
      const docs = createDocsPage(await browser.open(getPlatform().gatewayUrl + path));
      await docs.ready();
      await test(docs, docs.operationIds());
    });
  const expectToFit = async (docs: Docs, ids: string[]): Promise<void> => {
    for (const id of ids) {
      await docs.expand(id);
      await docs.expectNoOverflow(id);
      await docs.collapse(id);
    }
  };

  it(
    `fits every operation of ${BACK_OFFICE}`,
    phoneTest(BACK_OFFICE, async (docs, ids) => {
      expect(ids).to.have.length.of.at.least(15);
      await expectToFit(docs, ids);
    }),
  );

  // Each tag is a separate test, because the page has about 150 operations.
  for (const [tag, prefix] of Object.entries(PREFIXES))
    it(
      `fits every operation of ${AUTHENTICATION} that only they have: ${tag}`,
      phoneTest(AUTHENTICATION, async (docs, all) => {
        const ids = all.filter((id) => prefix.test(id));
        await docs.search(tag, ids);
        const isOfCustomers = (id: string) => all.includes(id.replace(/^administrator/, 'customer'));
        await expectToFit(docs, tag === 'administrators' ? ids.filter((id) => !isOfCustomers(id)) : ids);
      }),
    );

  it(
    `knows the tag of each operation of ${AUTHENTICATION}`,
    phoneTest(AUTHENTICATION, async (_docs, ids) => {
      const prefixes = [...Object.values(PREFIXES), /^employee/];
      expect(ids.filter((id) => !prefixes.some((prefix) => prefix.test(id)))).to.deep.equal([]);
    }),
  );
});
