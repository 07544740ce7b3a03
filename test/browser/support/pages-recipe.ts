import { readFile } from 'node:fs/promises';

const PAGE = new URL('../../../docs/frontends.md', import.meta.url);

/** Returns the page of docs/frontends.md that another origin serves. */
export const readReturningPage = async (): Promise<string> => {
  const [, recipe] = /```js\n(.+?)```/s.exec(await readFile(PAGE, 'utf8')) ?? [];
  if (recipe === undefined) throw new Error('docs/frontends.md contains no JavaScript');
  // The tests start their own gateway.
  return recipe.replace(/^const gatewayUrl = .*\n/m, '');
};
