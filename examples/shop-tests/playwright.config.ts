import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  // Each test has people and client networks of its own, so all may run at once.
  fullyParallel: true,
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    locale: 'en-GB',
    // Without a path, Playwright starts the browser that `npx playwright install chromium` has downloaded.
    launchOptions: CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {},
  },
});
