import { expect } from 'chai';
import type { Page } from 'playwright-core';

type Credentials = { email: string; password: string };
type Outcome<Result> = { result?: Result; code?: string };

/** Page object of the frontend. */
export const createFrontendPage = (page: Page) => {
  const result = page.getByRole('status', { name: 'Result' });
  const session = page.getByRole('status', { name: 'Session' });

  /** Waits for the next result. Each result has another number. */
  const resultAfter = async (action: () => Promise<void>): Promise<string> => {
    const before = await result.innerText();
    await action();
    await page.waitForFunction(
      `document.querySelector('[aria-label=Result]').textContent !== ${JSON.stringify(before)}`,
    );
    return (await result.innerText()).replace(/^\d+\. /, '');
  };
  const press = (name: string) => resultAfter(() => page.getByRole('button', { name }).click());

  /** The result that the page shows after loading, without an action. */
  const firstResult = async (): Promise<string> => {
    await result.filter({ hasText: /./ }).waitFor();
    return (await result.innerText()).replace(/^\d+\. /, '');
  };

  /** Calls a function of `account`, `oidc` or `passkeys` with the client. */
  const call = async <Result>(name: string, args: unknown[]): Promise<Outcome<Result>> => {
    await page.waitForFunction('window.passkeys');
    return await page.evaluate<Outcome<Result>>(
      `${name}(client, ...${JSON.stringify(args)}).then(
        (result) => ({ result }),
        ({ code, message }) => ({ code: code ?? message }),
      )`,
    );
  };

  return {
    /** The result of a call that must succeed. */
    call: async <Result>(name: string, ...args: unknown[]): Promise<Result> => {
      const { result: value, code } = await call<Result>(name, args);
      expect(code, `the error of ${name}`).to.equal(undefined);
      return value as Result;
    },
    /** The error code of a call that must fail. */
    failedCall: async (name: string, ...args: unknown[]): Promise<string | undefined> => {
      const { code } = await call(name, args);
      expect(code, `the error of ${name}`).to.be.a('string');
      return code;
    },
    signIn: async ({ email, password }: Credentials): Promise<string> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(password);
      return await press('Sign in');
    },
    /** Completes the second step with a code of the app or with a recovery code. */
    continueWith: async (code: string): Promise<string> => {
      await page.getByLabel('Code').fill(code);
      return await resultAfter(() => page.getByRole('button', { name: 'Continue', exact: true }).click());
    },
    continueWithPasskey: () => press('Continue with a passkey'),
    signInWithPasskey: () => press('Use a passkey instead'),
    /** Goes to the page of the provider, which waits for the user. */
    openProvider: async (button: 'Use Company instead' | 'Link Company' = 'Use Company instead') => {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor();
    },
    /**
     * Signs in at the provider as one of the demo people, or cancels. Returns the result that the frontend
     * then shows.
     */
    returnAs: async (email?: string): Promise<string> => {
      if (email) await page.getByLabel('Account').selectOption(email);
      await page.getByRole('button', { name: email ? 'Sign in' : 'Cancel' }).click();
      return await firstResult();
    },
    currentUser: () => press('Current user'),
    signOut: () => press('Sign out'),
    firstResult,
    expectSession: async (text: string): Promise<void> => {
      await page.waitForFunction(
        `document.querySelector('[aria-label=Session]').textContent === ${JSON.stringify(text)}`,
      );
      expect(await session.innerText()).to.equal(text);
    },
  };
};
