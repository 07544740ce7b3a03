import { expect } from 'chai';
import type { Page } from 'playwright-core';

type Credentials = { email: string; password: string };

/** What a customer does on the frontend's page. */
export const onFrontend = (page: Page) => {
  const answer = page.getByRole('status', { name: 'Answer' });
  const session = page.getByRole('status', { name: 'Session' });

  /** The answer that comes next: each has another number. */
  const answerTo = async (act: () => Promise<void>): Promise<string> => {
    const before = await answer.innerText();
    await act();
    await page.waitForFunction(
      `document.querySelector('[aria-label=Answer]').textContent !== ${JSON.stringify(before)}`,
    );
    return (await answer.innerText()).replace(/^\d+\. /, '');
  };
  const press = (name: string) => answerTo(() => page.getByRole('button', { name }).click());

  return {
    signIn: async ({ email, password }: Credentials): Promise<string> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(password);
      return await press('Sign in');
    },
    who: () => press('Who am I?'),
    signOut: () => press('Sign out'),
    /** What it answers by itself when it is opened. */
    firstAnswer: async (): Promise<string> => {
      await page.waitForFunction(`document.querySelector('[aria-label=Answer]').textContent !== ''`);
      return (await answer.innerText()).replace(/^\d+\. /, '');
    },
    expectSession: async (text: string): Promise<void> => {
      await page.waitForFunction(
        `document.querySelector('[aria-label=Session]').textContent === ${JSON.stringify(text)}`,
      );
      expect(await session.innerText()).to.equal(text);
    },
  };
};
