import { startChromium } from '@platform/test/browser/support/chromium';
import { createTestBench, type Label, type StorageState } from '@platform/test-bench';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { uniqueLabel, useTestBench } from '../testing/use-test-bench.ts';

describe('client of the test bench', () => {
  const bench = useTestBench();
  let browser: Browser;
  let label: Label;

  before('start Chromium', async () => {
    browser = await startChromium();
  });
  before('choose a label', () => {
    const { testBench, gatewayUrl } = bench();
    label = createTestBench({ ...testBench, gatewayUrl }).label(uniqueLabel());
  });
  after(() => browser?.close());

  /** Opens a page of the platform, and waits for the text. */
  const expectText = async (storageState: StorageState, path: string, text: string): Promise<void> => {
    const context = await browser.newContext({ storageState, extraHTTPHeaders: label.headers });
    const page = await context.newPage();
    await page.goto(label.gatewayUrl + path);
    await page.getByText(text).first().waitFor();
    await page.reload();
    await page.getByText(text).first().waitFor();
    await context.close();
  };

  it('opens browsers in which a person with an app is signed in, each with a session of its own', async () => {
    const person = await label.person({ with: ['app'] });
    const states = [await label.storageState(person), await label.storageState(person)];
    expect(new Set(states.map(({ cookies }) => cookies[0]?.value)).size).to.equal(2);
    for (const state of states) await expectText(state, '/account/customer/', person.email);
  });

  it('opens a browser in which an ADMIN is signed in to the console', async () => {
    const person = await label.person({ kind: 'ADMIN' });
    await expectText(await label.storageState(person), '/console/', 'Overview');
  });

  it('reads the mails of the label, and lets time pass for a person', async () => {
    const person = await label.person();
    const path = '/api/v1/customers/auth/reset-password/email/code/send';
    const request = new Request(label.gatewayUrl + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    });
    expect((await label.fetch(request)).ok).to.equal(true);
    const mail = await label.mail({ to: person.email, mail: 'reset-password-code' });
    expect(mail.code).to.match(/^\d{6}$/);
    expect((await label.mails({ mail: 'reset-password-code' })).data).to.have.length(1);
    expect((await label.age(person, 'PT15M1S')).ended).to.include('reset-password-code');
  });

  it('names what the test bench rejects', async () => {
    const error = await label.age({ id: crypto.randomUUID() }, 'PT1S').catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'TestBenchError', status: 404, code: 'PERSON_NOT_FOUND' });
  });
});
