import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import type { Checks, Section } from '../probe.ts';
import { type AccountState, checksOf, createNewUser, signIn, toChecks } from './account-state.ts';
import { projectChanges, userChanges } from './back-office-changes.ts';
import { emailCodeChecks, mailedSignInChecks } from './email-codes.ts';
import {
  deletionChecks,
  deviceChecks,
  type NewUsers,
  requireAdministrator,
  signUpChecks,
} from './new-user.ts';
import { ownAccountChecks, profileChecks } from './own-account.ts';
import { secondFactorChecks } from './second-factor.ts';
import { sessionChecks, signOutChecks } from './sessions.ts';

const contactChecks = (mailDomain: string, sent: { count: number }): Checks[] => {
  const email = `check@${mailDomain}`;
  const message = 'Sent by npm run check:deployed; no reply is needed.';
  const forms = {
    lead: { name: 'check:deployed', email, message },
    support: { email, subject: 'check:deployed', message },
  };
  const toCheck = ([form, body]: [string, object]): Checks => ({
    async [`POST /api/v1/contact/${form}`]({ call, expect }) {
      await expect(call({ method: 'POST', path: `/api/v1/contact/${form}`, body }), 204);
      sent.count += 1;
    },
  });
  return Object.entries(forms).map(toCheck);
};

const journey = (state: AccountState): Checks => ({
  ...sessionChecks(state),
  ...signOutChecks(state),
  'sign-in after the sign-out': (probe) => signIn(state, probe),
  ...checksOf(state, {
    ...deviceChecks,
    ...emailCodeChecks,
    ...secondFactorChecks,
    ...(state.kind === ADMINISTRATOR ? {} : { ...mailedSignInChecks, ...profileChecks }),
    ...ownAccountChecks,
  }),
});

/** The sections of --write, and the records that they leave in the deployment. */
export const createWriteSections = (mailDomain: string, accounts: readonly AccountState[]) => {
  const users: NewUsers = { created: new Set(), accounts };
  /** The number of accepted contact forms. */
  const sent = { count: 0 };
  const customer = createNewUser(CUSTOMER, mailDomain);
  const newUsers = [customer, ...[EMPLOYEE, ADMINISTRATOR].map((kind) => createNewUser(kind, mailDomain))];
  const changes = { ...userChanges(customer, users), ...projectChanges };
  const sections: Section[] = [
    ...newUsers.flatMap((state) => [
      { title: `New ${state.kind.kind} ${state.email}`, checks: () => [signUpChecks(state, users)] },
      {
        title: `Account of ${state.email}`,
        checks: () => (users.created.has(state) ? [journey(state)] : []),
      },
    ]),
    {
      title: 'Changes in the back office',
      checks: () => [toChecks(changes, (probe) => requireAdministrator(users, probe))],
    },
    { title: 'Contact forms', checks: () => contactChecks(mailDomain, sent) },
    { title: 'End of the new users', checks: () => newUsers.map((state) => deletionChecks(state, users)) },
  ];
  const describeResidue = (): string => {
    const emails = [...users.created].map(({ email }) => email).join(', ') || 'none';
    return `Left behind, because no operation deletes it: users: ${emails}; contact forms: ${sent.count}; audit records`;
  };
  return { sections, newUsers, describeResidue };
};
