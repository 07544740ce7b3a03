import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '@platform/shared/config/cli';
import { createRunDirectories, removeRunDirectories } from '@platform/shared/testing/test-run';
import { createTestBrowser } from './support/browser-test.ts';
import { PICTURE_FOLDER, PICTURE_OPTIONS, PICTURES } from './support/pictures.ts';
import { startPlatform } from './support/platform.ts';

type Picture = (typeof PICTURES)[keyof typeof PICTURES];

const takePicture = async (show: Picture): Promise<Buffer> => {
  const browser = await createTestBrowser(PICTURE_OPTIONS);
  try {
    const page = await show(browser);
    // On a busy machine, parts of a page load later.
    await page.locator('.skeleton, .waiting-bar, .notice-bad').first().waitFor({ state: 'detached' });
    return await page.screenshot({ animations: 'disabled' });
  } finally {
    await browser.context.close();
  }
};

// `node run.mjs test/browser/run-screenshots.ts [name …]`: takes the pictures of docs/pictures, or only those
// with these names, on a new stack with demo data.
const names = process.argv.slice(2);
const directories = await createRunDirectories();
await runCli(async () => {
  const lines: string[] = [];
  try {
    await startPlatform();
    await mkdir(PICTURE_FOLDER, { recursive: true });
    for (const [name, show] of Object.entries(PICTURES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const png = await takePicture(show);
      await writeFile(join(PICTURE_FOLDER, `${name}.png`), png);
      lines.push(`docs/pictures/${name}.png: ${Math.ceil(png.length / 1_000)} kB`);
    }
  } finally {
    await removeRunDirectories(directories);
  }
  return lines.join('\n');
});
process.exit();
