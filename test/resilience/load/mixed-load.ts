import { CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { List, OfficeSteps } from './admin-actions.ts';
import type { Account, Visitor } from './expected-state.ts';
import type { Operation } from './steady-load.ts';
import type { VisitorSteps } from './user-actions.ts';

type Parts = { visitors: VisitorSteps; office: OfficeSteps; projectIds: readonly string[] };

const NEWCOMERS = 18;
const DEVICES = 48;

/** Each actor does one thing at a time. The result answers false when all of them are busy. */
const createPool = <Actor>(actors: readonly Actor[]) => {
  const free = [...actors];
  /** `act` answers with whom to go on, undefined for nobody. */
  return async (act: (actor: Actor) => Promise<Actor | undefined>): Promise<boolean> => {
    const actor = free.shift();
    if (actor === undefined) return false;
    const next = await act(actor);
    // At a place by chance, or all would sign up at the same time, then all sign in, and so on.
    if (next !== undefined) free.splice(Math.floor(Math.random() * (free.length + 1)), 0, next);
    return true;
  };
};

const createVisitor = (kind: Visitor['kind']): Visitor => ({
  kind,
  fingerprint: uniqueFingerprint(),
  account: undefined,
  device: undefined,
});

const createVisitors = (count: number): Visitor[] =>
  Array.from({ length: count }, (_, index) => createVisitor(index % 2 === 0 ? CUSTOMER : EMPLOYEE));

type Step = (visitor: Visitor, account: Account, device: Device) => Promise<Visitor>;

/** Whoever has no account yet or no session first gets one. */
const createVisits = ({ signUp, signIn, refresh, changePassword, me }: VisitorSteps) => {
  const visit = (step: Step) => async (visitor: Visitor) => {
    const { account, device } = visitor;
    if (account && device) return await step(visitor, account, device);
    await (account ? signIn(visitor, account) : signUp(visitor));
    return visitor;
  };
  return {
    /** Signs up, signs in, changes the password and leaves to another: every address gets one notice. */
    newcomer: visit(async ({ kind }, account, device) => {
      await changePassword(account, device);
      return createVisitor(kind);
    }),
    refresh: visit(async (visitor, _account, device) => {
      await refresh(visitor, device);
      return visitor;
    }),
    signIn: visit(async (visitor, account) => {
      await signIn(visitor, account);
      return visitor;
    }),
    me: visit(async (visitor, _account, device) => {
      await me(visitor, device);
      return visitor;
    }),
  };
};

const authOperations = (visitors: VisitorSteps): Operation[] => {
  const visits = createVisits(visitors);
  const newcomers = createPool(createVisitors(NEWCOMERS));
  const refreshing = createPool(createVisitors(DEVICES));
  const returning = createPool(createVisitors(DEVICES));
  const reading = createPool(createVisitors(DEVICES));
  return [
    { perSecond: 12, run: () => newcomers(visits.newcomer) },
    { perSecond: 16, run: () => refreshing(visits.refresh) },
    { perSecond: 8, run: () => returning(visits.signIn) },
    { perSecond: 16, run: () => reading(visits.me) },
  ];
};

const officeOperations = (office: OfficeSteps, projectIds: readonly string[]): Operation[] => {
  const projects = createPool(projectIds);
  const always = (perSecond: number, step: () => Promise<unknown>): Operation => ({
    perSecond,
    run: () => step().then(() => true),
  });
  const list = (perSecond: number, name: List) => always(perSecond, () => office.list(name));
  return [
    list(4, 'users list'),
    list(5, 'projects list'),
    list(3, 'teams list'),
    { perSecond: 12, run: () => projects(office.edit) },
    always(2, () => office.submitForm('lead')),
    always(2, () => office.submitForm('support')),
  ];
};

/** What the samples of the load are named, by the service that answers. */
export const OPERATION_NAMES = {
  auth: ['sign-up', 'sign-in', 'refresh', 'me', 'password change'],
  office: ['users list', 'projects list', 'teams list', 'project edit', 'contact form'],
} as const;

/** Sign-ups, sign-ins, refreshes, me, lists, edits, password changes and contact forms: 80 requests a second in all. */
export const createMixedLoad = ({ visitors, office, projectIds }: Parts) => ({
  auth: authOperations(visitors),
  office: officeOperations(office, projectIds),
});

export type MixedLoad = ReturnType<typeof createMixedLoad>;
