import { fileURLToPath } from 'node:url';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { startStack } from '@platform/shared/testing/stack';

const LOGO = new URL('../../../deploy/kubernetes/components/pages/logo.png', import.meta.url);
/** Black text contrasts more with it than white, unlike with the default. */
export const BRAND = { name: 'Nordlicht Marktplatz', colour: 'rgb(214, 64, 159)' };

type BrandedPlatform = { origin: string; inbox: InboxClient };

const start = async (): Promise<BrandedPlatform> => {
  const { stack } = await startStack({
    PAGES: 'on',
    BOT_CHECK: 'altcha',
    BOT_CHECK_KEY: 'a-key-for-tests-that-is-long-enough',
    BOT_CHECK_COST: '1000',
    PRODUCT_NAME: BRAND.name,
    LOGO_FILE: fileURLToPath(LOGO),
    ACCENT_COLOUR: '#d6409f',
    SUPPORT_EMAIL: 'support@example.com',
    TERMS_URL: 'https://example.com/terms',
    PRIVACY_URL: 'https://example.com/privacy',
  });
  return {
    origin: stack.gatewayUrl.replace('127.0.0.1', 'localhost'),
    inbox: createInboxClient(stack.inboxUrl),
  };
};

let starting: Promise<BrandedPlatform> | undefined;

/** Starts a platform that keeps bots out and has a brand, for the first test that needs it. */
export const startBrandedPlatform = (): Promise<BrandedPlatform> => {
  starting ??= start();
  return starting;
};
