import { expect } from 'chai';
import { createSimulatedBrowser, forEachInterleaving, type SimulatedTab } from './simulated-tabs.ts';

// Between processes, a BroadcastChannel message can arrive before the localStorage change
// (https://github.com/whatwg/html/issues/403), so the tests try every order of messages and writes.

type Action = (tab: SimulatedTab) => void;

const signIn =
  (sessionId: string): Action =>
  (tab) => {
    const signedIn = { user: { id: `user of ${sessionId}` }, session: { id: sessionId } };
    tab.state.saveSession(signedIn, `token of ${sessionId}`);
  };
const signOut: Action = ({ state }) => {
  const session = state.session();
  if (session) state.end(session.id, 'SIGNED_OUT');
};
const refresh: Action = ({ state }) => {
  const session = state.session();
  if (session) state.saveToken(session.id, `new token of ${session.id}`);
};
const call: Action = ({ state }) => void state.snapshot();

type Scenario = { first: Action[]; second?: Action[] };

/** The actions of each tab. The second tab acts at any point between those of the first. */
const SCENARIOS: Record<string, Scenario> = {
  'a sign-out': { first: [signOut], second: [call] },
  'a sign-in as another user': { first: [signIn('Y')], second: [call] },
  'a refresh': { first: [refresh], second: [call] },
  'a sign-out and a sign-in': { first: [signOut, signIn('Y')], second: [call] },
  'a sign-in as another user and a sign-out': { first: [signIn('Y'), signOut], second: [call] },
  'a refresh and a sign-out': { first: [refresh, signOut] },
  'a sign-out and a sign-in in different tabs': { first: [signOut], second: [signIn('Y')] },
  'a sign-out and a refresh in different tabs': { first: [signOut], second: [refresh] },
  'sign-ins in both tabs': { first: [signIn('Y')], second: [signIn('Z')] },
  'a refresh and a sign-in in different tabs': { first: [refresh], second: [signIn('Y')] },
  'sign-outs in both tabs': { first: [signOut], second: [signOut] },
};

const createTabs = () => {
  const browser = createSimulatedBrowser();
  const tabs = [browser.openTab('A'), browser.openTab('B')] as const;
  signIn('X')(tabs[0]);
  browser.settle();
  return { browser, tabs };
};

const generationOf = ({ state }: SimulatedTab): number => state.record().generation;
const sessionOf = ({ state }: SimulatedTab): string | undefined => state.session()?.id;

/** Checks that the reports of a tab describe its real state: a session ends before another begins. */
const expectReports = ({ opened, reports, state }: SimulatedTab, order: string): void => {
  let current = opened;
  for (const [name, value] of reports) {
    expect(current === undefined, `${order}: ${reports}`).to.equal(name === 'signed-in');
    current = name === 'signed-in' ? value : undefined;
  }
  expect(current, `${order}: ${reports}`).to.equal(state.session()?.id);
};

const runInterleaving = ({ first, second = [] }: Scenario, choose: (count: number) => number): void => {
  const { browser, tabs } = createTabs();
  const actions: Action[][] = [[...first], [...second]];
  const steps = () => [
    ...tabs.flatMap((tab, index) => {
      const [next] = actions[index] ?? [];
      const run = () => actions[index]?.shift()?.(tab);
      return next ? [{ name: `${tab.name} acts`, run }] : [];
    }),
    ...browser.steps(),
  ];
  const order: string[] = [];
  for (let available = steps(); available.length > 0; available = steps()) {
    const before = tabs.map(generationOf);
    const step = available[choose(available.length)];
    order.push(step?.name ?? '');
    step?.run();
    const [a = 0, b = 0] = before;
    if (generationOf(tabs[0]) < a || generationOf(tabs[1]) < b)
      throw new Error(`Older state: ${order.join(', ')}`);
  }
  const [a, b] = tabs;
  const text = order.join(', ');
  expect(a.state.record(), text).to.deep.equal(b.state.record());
  expect(browser.stored(), text).to.deep.equal(a.state.record());
  expect(sessionOf(browser.openTab('new')), text).to.equal(sessionOf(a));
  expect(a.state.token(), text).to.deep.equal(b.state.token());
  expect(a.state.token() === undefined, text).to.equal(sessionOf(a) === undefined);
  for (const tab of tabs) expectReports(tab, text);
};

describe('tabs in separate processes', () => {
  const now = Date.now;
  beforeEach('stop the clock, so that changes have equal times', () => {
    const stopped = now();
    Date.now = () => stopped;
  });
  afterEach('start the clock', () => {
    Date.now = now;
  });

  for (const [name, scenario] of Object.entries(SCENARIOS))
    it(`agree after ${name}, in every order of messages and writes`, () => {
      const runs = forEachInterleaving((choose) => runInterleaving(scenario, choose));
      expect(runs).to.be.greaterThan(5);
    });

  for (const [action, run, expected] of [
    ['sign-out', signOut, undefined],
    ['sign-in as another user', signIn('Y'), 'Y'],
  ] as const) {
    const reports = expected
      ? [
          ['signed-out', 'SIGNED_IN_AS_ANOTHER'],
          ['signed-in', expected],
        ]
      : [['signed-out', 'SIGNED_OUT']];

    it(`know of a ${action} by the message alone, and compare the stored record with it`, () => {
      const { tabs } = createTabs();
      const [a, b] = tabs;
      run(a);
      b.steps()
        .find(({ name }) => name === 'B gets a message')
        ?.run();
      expect(sessionOf(b)).to.equal(expected);
      expect(b.state.token()?.token).to.equal(expected && 'token of Y');
      expect(b.reports).to.deep.equal([['signed-in', 'X'], ...reports]);
    });

    it(`know of a ${action} by the storage alone when the other tab was closed before its message`, () => {
      const { browser, tabs } = createTabs();
      const [a, b] = tabs;
      run(a);
      b.messages.length = 0;
      browser.settle();
      expect(sessionOf(b)).to.equal(expected);
      expect(b.reports).to.deep.equal([['signed-in', 'X'], ...reports]);
    });

    it(`know of a ${action} in a tab that was opened before the write reached the browser`, () => {
      const { browser, tabs } = createTabs();
      run(tabs[0]);
      const late = browser.openTab('C');
      expect(sessionOf(late), 'a stale copy').to.equal('X');
      browser.settle();
      expect(sessionOf(late)).to.equal(expected);
      expect(late.reports).to.deep.equal(reports);
    });
  }

  it('drop the token of a refresh that completes after the session has ended', () => {
    const { browser, tabs } = createTabs();
    signOut(tabs[0]);
    browser.settle();
    tabs[1].state.saveToken('X', 'late token');
    expect(tabs.map(sessionOf)).to.deep.equal([undefined, undefined]);
    signIn('Y')(tabs[0]);
    browser.settle();
    tabs[1].state.saveToken('X', 'late token');
    expect(tabs.map(({ state }) => state.token()?.token)).to.deep.equal(['token of Y', 'token of Y']);
  });
});
