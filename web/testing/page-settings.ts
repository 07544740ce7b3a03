import { loadSettings } from '../page/settings.ts';

/** Loads settings.json with this content, as a page does when it starts. */
export const setPageSettings = async (settings: object): Promise<void> => {
  const { fetch } = globalThis;
  globalThis.fetch = (async () => Response.json(settings)) as typeof fetch;
  await loadSettings();
  globalThis.fetch = fetch;
};

/** In a suite whose tests set settings. */
export const forgetPageSettings = (): void => {
  afterEach('forget the settings', () => setPageSettings({}));
};
