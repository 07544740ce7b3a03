import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { runCli } from '@platform/shared/config/cli';
import { productName, readEnvironment } from '@platform/shared/config/env';
import { LANGUAGES } from '@platform/shared/http/language';
import { getTextsFile, renderExamples, renderTexts } from './example-mails.ts';
import { renderPreviewPage } from './preview-page.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

// `node run.mjs mailer-worker/testing/preview/run-mails-preview.ts [file]` writes every mail in every
// language to the file, by default .data/mails.html, and the texts that the tests expect.
await runCli(async () => {
  const { PRODUCT_NAME: product } = readEnvironment(process.env, { PRODUCT_NAME: productName });
  const examples = renderExamples(product);
  const file = resolve(process.argv[2] ?? resolve(ROOT, '.data/mails.html'));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, renderPreviewPage(examples));
  for (const language of LANGUAGES) await writeFile(getTextsFile(language), renderTexts(language));
  return `${examples.length} mails: ${file}`;
});
