import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpClient } from '@platform/shared/testing/http-client';
import { type AdminActions, type AdminFixture, createAdminActions, type List } from './admin-actions.ts';
import { type Account, createExpectedState, type User } from './expected-state.ts';
import { createRequestLog } from './request-log.ts';
import { type Operation, startSteadyLoad } from './steady-load.ts';
import { createUserActions, type UserActions } from './user-actions.ts';

const NEW_USERS = 18;
const DEVICES = 48;
/**
 * After a block without a response, the user is not used again; a team is verified only once. This is
 * sufficient for 15 outages of 30 s.
 */
const USERS = 2_000;
const TEAMS = 5_000;

/** Each actor executes one action at a time. The returned function returns false when all are busy. */
const createPool = <Actor>(actors: readonly Actor[]) => {
  const idle = [...actors];
  /** `act` returns the actor for the next action, or undefined if it must not be used again. */
  return async (act: (actor: Actor) => Promise<Actor | undefined>): Promise<boolean> => {
    const actor = idle.shift();
    if (actor === undefined) return false;
    const next = await act(actor);
    // The position is random. Otherwise all actors would sign up at the same time, then all sign in, and so
    // on.
    if (next !== undefined) idle.splice(Math.floor(Math.random() * (idle.length + 1)), 0, next);
    return true;
  };
};

const createUser = (kind: User['kind']): User => ({
  kind,
  fingerprint: uniqueFingerprint(),
  account: undefined,
  device: undefined,
});

const createUserPool = (count: number) =>
  createPool(Array.from({ length: count }, (_, index) => createUser(index % 2 === 0 ? CUSTOMER : EMPLOYEE)));

type Action = (user: User, account: Account, device: Device) => Promise<unknown>;

/** A user without an account or a session first gets one. */
const createUserOperations = (actions: UserActions): Operation[] => {
  const withSession = (action: Action) => async (user: User) => {
    const { account, device } = user;
    if (account && device) await action(user, account, device);
    else await (account ? actions.signIn(user, account) : actions.signUp(user));
    return user;
  };
  // Every address gets one mail.
  const once = (action: (account: Account, device: Device) => Promise<void>) => async (user: User) => {
    const { kind, account, device } = user;
    await withSession((_user, account, device) => action(account, device))(user);
    return account && device ? createUser(kind) : user;
  };
  const newUsers = createUserPool(NEW_USERS);
  const codeUsers = createUserPool(NEW_USERS);
  const refreshing = createUserPool(DEVICES);
  const returning = createUserPool(DEVICES);
  const reading = createUserPool(DEVICES);
  return [
    { perSecond: 12, run: () => newUsers(once(actions.changePassword)) },
    { perSecond: 9, run: () => codeUsers(once(actions.sendCode)) },
    {
      perSecond: 16,
      run: () => refreshing(withSession((user, _account, device) => actions.refresh(user, device))),
    },
    { perSecond: 8, run: () => returning(withSession((user, account) => actions.signIn(user, account))) },
    { perSecond: 16, run: () => reading(withSession((user, _account, device) => actions.me(user, device))) },
  ];
};

type Targets = Omit<AdminFixture, 'adminToken'>;

const createAdminOperations = (
  actions: AdminActions,
  { projectIds, userIds, teamIds }: Targets,
): Operation[] => {
  const projects = createPool(projectIds);
  const users = createPool(userIds.splice(0, USERS).map((id) => ({ id, isBlocked: false })));
  const teams = createPool(teamIds.splice(0, TEAMS));
  const always = (perSecond: number, action: () => Promise<unknown>): Operation => ({
    perSecond,
    run: () => action().then(() => true),
  });
  const list = (perSecond: number, name: List) => always(perSecond, () => actions.list(name));
  return [
    list(4, 'users list'),
    list(5, 'projects list'),
    list(3, 'teams list'),
    { perSecond: 12, run: () => projects(actions.editProject) },
    { perSecond: 4, run: () => users(actions.toggleBlock) },
    { perSecond: 3, run: () => teams(actions.verifyTeam) },
    always(2, () => actions.submitForm('lead')),
    always(2, () => actions.submitForm('support')),
  ];
};

/** The names of the operations in the request log, by the service that responds. */
export const OPERATION_NAMES = {
  auth: ['sign-up', 'sign-in', 'refresh', 'me', 'password change', 'code mail'],
  admin: [
    'users list',
    'projects list',
    'teams list',
    'project edit',
    'user block',
    'team verification',
    'contact form',
  ],
} as const;

export type LoadedService = keyof typeof OPERATION_NAMES;

/** The requests of the mixed load at a factor of 1. */
export const MIXED_REQUESTS_PER_SECOND = 96;

/** Sign-ups, sign-ins, refreshes, me, lists, edits, blocks, password changes, code mails and contact forms. */
export const createMixedLoad = (client: HttpClient, { adminToken, ...targets }: AdminFixture) => {
  const requestLog = createRequestLog();
  const expectedState = createExpectedState();
  const adminActions = createAdminActions({ client, requestLog, expectedState, adminToken });
  const operations = {
    auth: createUserOperations(createUserActions({ client, requestLog, expectedState })),
    admin: createAdminOperations(adminActions, targets),
  };
  const start = (services: readonly LoadedService[] = ['auth', 'admin'], factor = 1) =>
    startSteadyLoad(
      services
        .flatMap((service) => operations[service])
        .map(({ perSecond, run }) => ({ perSecond: perSecond * factor, run })),
    );
  return {
    requestLog,
    expectedState,
    adminActions,
    start,
    /** Gives every user an account and a session. */
    warmUp: async (seconds: number): Promise<void> => {
      const load = start();
      await delay(seconds * 1_000);
      await load.stop();
    },
  };
};

export type MixedLoad = ReturnType<typeof createMixedLoad>;
