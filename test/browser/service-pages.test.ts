import { expect } from 'chai';
import { browserTest } from './support/browser-test.ts';
import { getPlatform } from './support/platform.ts';
import { SERVICE_PATH } from './support/service.ts';

describe('page of another service', () => {
  it(
    'runs no script, submits no form and loads nothing',
    browserTest(async (openBrowser) => {
      const { gatewayUrl, service } = getPlatform();
      const browser = await openBrowser();
      browser.allowErrors(/sandboxed|Content Security Policy|favicon\.ico/);
      const page = await browser.open(gatewayUrl + SERVICE_PATH);
      const blocked = page.waitForEvent('console', (message) => /form/i.test(message.text()));
      await page.getByRole('button').click();
      await blocked;
      expect(await page.title()).to.equal('Shop');
      expect(page.url()).to.equal(gatewayUrl + SERVICE_PATH);
      expect(service.requests).to.deep.equal([]);
    }),
  );

  it(
    'sets cookies only for the paths of the service',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(/sandboxed|Content Security Policy|favicon\.ico/);
      await browser.open(getPlatform().gatewayUrl + SERVICE_PATH);
      const cookies = await browser.context.cookies();
      expect(cookies.map(({ name, path }) => [name, path])).to.deep.equal([['basket', SERVICE_PATH]]);
    }),
  );
});
