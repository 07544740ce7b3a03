import { fileURLToPath } from 'node:url';
import { getContrast } from '@platform/shared/appearance/colour';
import { startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { openPage, readPolicyViolations, waitForHeading } from '../console/console-tab.ts';
import { findAllViolations } from '../support/axe.ts';
import { browserTest, saveScreenshot } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';

const LOGO = fileURLToPath(new URL('../../../deploy/kubernetes/components/pages/logo.png', import.meta.url));
const BRANDS = ['#000000', '#ffffff', '#ff6900', '#003366', '#e60023', '#1db954'];
const WIDE = { viewport: { width: 1280, height: 900 } };

/** A further gateway to the services of the platform, with a brand. */
const withGateway = async (brand: Record<string, string>, test: (url: string) => Promise<void>) => {
  const { authUrl, adminUrl, pagesDir } = getPlatform();
  const gateway = startService('gateway', {
    NODE_ENV: 'development',
    PAGES: 'on',
    PAGES_DIR: pagesDir,
    GATEWAY_PORT: '0',
    GATEWAY_OPS_PORT: '0',
    RATE_LIMIT_SCALE: '1000',
    AUTH_SERVICE_URLS: authUrl,
    ADMIN_SERVICE_URLS: adminUrl,
    ...brand,
  });
  try {
    await test((await gateway.listening()).url);
  } finally {
    await gateway.stop();
  }
};

const toHex = (rgb: string): `#${string}` => {
  const channels = rgb.match(/[\d.]+/g)?.slice(0, 3) ?? [];
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`;
};

/** The colours that the browser shows. */
const readColours = async (page: Page) => {
  const of = async (selector: string, property: string) =>
    toHex(await page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`));
  return {
    button: await of('.button-main', 'backgroundColor'),
    onButton: await of('.button-main', 'color'),
    frame: await of('.button-main', 'borderTopColor'),
    card: await of('.sign-in-card', 'backgroundColor'),
    link: await of('.sign-in-card a', 'color'),
    ground: await of('.sign-in-page', 'backgroundColor'),
    foot: await of('.foot', 'color'),
  };
};

describe('brand of the account pages', () => {
  for (const colour of BRANDS)
    it(
      `has readable buttons, links and grounds, light and dark: ${colour}`,
      browserTest(async (openBrowser) => {
        await withGateway({ ACCENT_COLOUR: colour, PRODUCT_NAME: 'Feierabend' }, async (url) => {
          const browser = await openBrowser(WIDE);
          const page = await openPage(browser, `${url}/account/customer/sign-in`);
          await waitForHeading(page, 'Sign in');
          for (const [scheme, linkContrast] of [
            ['light', 4.5],
            ['dark', 6],
          ] as const) {
            await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
            await saveScreenshot(page, `brand ${colour} ${scheme}`);
            const { button, onButton, frame, card, link, ground, foot } = await readColours(page);
            expect(getContrast(onButton, button), 'text on a button').to.be.at.least(4.5);
            expect(getContrast(frame, card), 'frame of a button').to.be.at.least(3);
            expect(getContrast(link, card), 'link').to.be.at.least(linkContrast);
            expect(getContrast(foot, ground), 'foot').to.be.at.least(4.5);
            expect(await findAllViolations(page), scheme).to.deep.equal([]);
          }
          expect(await readPolicyViolations(page)).to.deep.equal([]);
        });
      }),
    );

  it(
    'has a panel beside the card from 960 px, in the language of the page',
    browserTest(async (openBrowser) => {
      const texts = { BRAND_TEXT_EN: 'Everything for the harbour.', BRAND_TEXT_DE: 'Alles für den Hafen.' };
      const brand = { ACCENT_COLOUR: '#003366', BRAND_PANEL: 'on', LOGO_FILE: LOGO, ...texts };
      await withGateway({ ...brand, PRODUCT_NAME: 'Hafenwerk' }, async (url) => {
        const browser = await openBrowser({ ...WIDE, locale: 'de-DE' });
        const page = await openPage(browser, `${url}/account/customer/sign-in`);
        const panel = page.getByRole('complementary', { name: 'Hafenwerk' });
        await panel.getByText('Alles für den Hafen.').waitFor();
        expect(await panel.getByRole('img', { name: 'Hafenwerk' }).count()).to.equal(1);
        expect(await page.locator('.sign-in-head .product').isVisible()).to.equal(false);
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
          await saveScreenshot(page, `brand panel ${scheme}`);
          expect(await findAllViolations(page), scheme).to.deep.equal([]);
        }
        await page.setViewportSize({ width: 959, height: 900 });
        await saveScreenshot(page, 'brand panel 959');
        expect(await panel.isVisible()).to.equal(false);
        expect(await page.locator('.sign-in-head .product').isVisible()).to.equal(true);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
        const consolePage = await openPage(browser, `${url}/console/`);
        await consolePage.locator('.sign-in-card').waitFor();
        expect(await consolePage.locator('.brand-panel').count()).to.equal(0);
      });
    }),
  );

  it(
    'shows the logos of providers',
    browserTest(async (openBrowser) => {
      await withGateway({ OIDC_COMPANY_LOGO_FILE: LOGO }, async (url) => {
        const page = await openPage(await openBrowser(WIDE), `${url}/account/customer/sign-in`);
        const button = page.getByRole('button', { name: /^Continue with Company$/ });
        await button.locator('img').waitFor();
        await page.waitForFunction("document.querySelector('.provider-logo').naturalWidth > 0");
        await saveScreenshot(page, 'provider logo');
      });
    }),
  );

  it(
    'has a main button that stands out in forced colours',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(WIDE);
      const page = await openPage(browser, '/account/customer/sign-in');
      await waitForHeading(page, 'Sign in');
      await page.emulateMedia({ forcedColors: 'active' });
      await saveScreenshot(page, 'forced colours');
      const toFrame = (selector: string) =>
        page.evaluate(`(({ borderTopWidth, borderTopColor }) => [borderTopWidth, borderTopColor])(
          getComputedStyle(document.querySelector('${selector}')))`) as Promise<[string, string]>;
      const [width, colour] = await toFrame('.button-main');
      const [plainWidth, plainColour] = await toFrame('.button:not(.button-main, .button-quiet)');
      expect([width, plainWidth]).to.deep.equal(['3px', '1px']);
      expect(colour).not.to.equal(plainColour);
    }),
  );
});
