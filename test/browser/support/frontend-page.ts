import { expect } from 'chai';
import type { Page } from 'playwright-core';

type Credentials = { email: string; password: string };

/** Page object of the frontend. */
export const createFrontendPage = (page: Page) => {
  const result = page.getByRole('status', { name: 'Result' });
  const session = page.getByRole('status', { name: 'Session' });

  /** Waits for the next result; each has a different number. */
  const resultAfter = async (action: () => Promise<void>): Promise<string> => {
    const before = await result.innerText();
    await action();
    await page.waitForFunction(
      `document.querySelector('[aria-label=Result]').textContent !== ${JSON.stringify(before)}`,
    );
    return (await result.innerText()).replace(/^\d+\. /, '');
  };
  const press = (name: string) => resultAfter(() => page.getByRole('button', { name }).click());

  return {
    signIn: async ({ email, password }: Credentials): Promise<string> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(password);
      return await press('Sign in');
    },
    currentUser: () => press('Current user'),
    signOut: () => press('Sign out'),
    /** The result that the page shows after loading, without an action. */
    firstResult: async (): Promise<string> => {
      await page.waitForFunction(`document.querySelector('[aria-label=Result]').textContent !== ''`);
      return (await result.innerText()).replace(/^\d+\. /, '');
    },
    expectSession: async (text: string): Promise<void> => {
      await page.waitForFunction(
        `document.querySelector('[aria-label=Session]').textContent === ${JSON.stringify(text)}`,
      );
      expect(await session.innerText()).to.equal(text);
    },
  };
};
