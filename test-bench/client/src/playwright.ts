import { test as base } from '@playwright/test';
import { type Label, type NewPerson, type Person, readTestBench } from './test-bench.ts';

// biome-ignore lint/performance/noBarrelFile: tests import both from one module, as from Playwright.
export { expect } from '@playwright/test';

export type TestBenchOptions = {
  /** The options of the fixture `person`, which by default is a customer with a verified address. */
  personOptions: NewPerson;
  /** Whether the browser begins signed in as `person`. */
  signedIn: boolean;
  /** The origins of your pages that share the session, such as `http://localhost:5173`. */
  signedInOrigins: string[];
};

export type TestBenchFixtures = {
  /** The label of this test, which is deleted after it. All requests of the browser belong to it. */
  bench: Label;
  person: Person;
};

const people = new WeakMap<Label, Promise<Person>>();

/** `person` and `storageState` mean the same one, and either may be asked for first. */
const findPerson = (bench: Label, options: NewPerson): Promise<Person> => {
  const person = people.get(bench) ?? bench.person(options);
  people.set(bench, person);
  return person;
};

/** `test` of Playwright with `bench` and `person`. */
export const test = base.extend<TestBenchFixtures & TestBenchOptions>({
  personOptions: [{}, { option: true }],
  signedIn: [false, { option: true }],
  signedInOrigins: [[], { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  bench: async ({}, use) => {
    const label = readTestBench().label();
    await use(label);
    await label.delete();
  },
  person: async ({ bench, personOptions }, use) => use(await findPerson(bench, personOptions)),
  extraHTTPHeaders: async ({ bench, extraHTTPHeaders }, use) =>
    use({ ...extraHTTPHeaders, ...bench.headers }),
  storageState: async ({ bench, personOptions, signedIn, signedInOrigins, storageState }, use) => {
    if (!signedIn) return await use(storageState);
    const person = await findPerson(bench, personOptions);
    await use(await bench.storageState(person, { origins: signedInOrigins }));
  },
});
