import { ACCOUNT_KINDS, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import type { ReadCode } from '../code-source.ts';
import type { Contract } from '../contract.ts';
import type { Check, Section } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import type { AccountState } from './account-state.ts';
import { backOfficeChangeChecks } from './back-office-changes.ts';
import { emailCodeChecks } from './email-codes.ts';
import {
  type CreatedUsers,
  createNewUser,
  deletionCheck,
  deviceChecks,
  requireAdministrator,
  signUpChecks,
} from './new-user.ts';
import { ownAccountChecks } from './own-account.ts';
import { secondFactorChangeChecks } from './second-factor.ts';
import { sessionChecks, signInCheck, signOutCheck } from './sessions.ts';

/** The contact forms that were accepted. */
type SentForms = { count: number };

const contactCheck = (form: string, body: object, sent: SentForms): Check => ({
  name: `POST /api/v1/contact/${form}`,
  run: async ({ call, expect }) => {
    const response = await call({ method: 'POST', path: `/api/v1/contact/${form}`, body });
    expect(response, 204);
    if (response.status === 204) sent.count += 1;
  },
});

const contactChecks = (mailDomain: string, sent: SentForms): Check[] => {
  const email = `check@${mailDomain}`;
  const message = 'Sent by npm run check:deployed; no answer is needed.';
  return [
    contactCheck('lead', { name: 'check:deployed', email, message }, sent),
    contactCheck('support', { email, subject: 'check:deployed', message }, sent),
  ];
};

type WriteOptions = {
  mailDomain: string;
  readCode: ReadCode | undefined;
  origin: string | undefined;
  /** The accounts of the command line. */
  accounts: readonly AccountState[];
  contract: Contract;
  undo: UndoList;
};

/** The checks of --write, and what they leave in the deployment. */
export const createWriteSections = (options: WriteOptions) => {
  const { mailDomain, readCode, origin, accounts, contract, undo } = options;
  const created: CreatedUsers = new Set();
  const sent: SentForms = { count: 0 };
  const newUsers = [...ACCOUNT_KINDS, ADMINISTRATOR].map((kind) => createNewUser(kind, mailDomain));
  const find = () => accounts.find(({ user, device }) => device && user?.platformRole === 'ADMIN');

  const changes = (): Check[] => {
    const administrator = find();
    if (administrator)
      return newUsers.slice(0, 1).flatMap((user) => backOfficeChangeChecks(administrator, user, undo));
    return [
      { name: 'changes in the back-office', run: async (probe) => void requireAdministrator(find, probe) },
    ];
  };
  const journey = (state: AccountState): Check[] => [
    ...sessionChecks(state, contract, undo),
    signOutCheck(state, undo),
    signInCheck(state, undo),
    ...deviceChecks(state, undo),
    ...emailCodeChecks(state, readCode, undo),
    ...secondFactorChangeChecks(state, origin, undo),
    ...ownAccountChecks(state, origin),
  ];
  const sections: Section[] = [
    ...newUsers.flatMap((state) => [
      {
        title: `New ${state.kind.kind} ${state.email}`,
        checks: () => signUpChecks(state, created, find),
      },
      { title: `Account of ${state.email}`, checks: () => (created.has(state) ? journey(state) : []) },
    ]),
    { title: 'Changes in the back-office', checks: changes },
    { title: 'Contact forms', checks: () => contactChecks(mailDomain, sent) },
    {
      title: 'End of the new users',
      checks: () => newUsers.map((state) => deletionCheck(state, created, undo, find)),
    },
  ];
  const describeResidue = (): string => {
    const emails = [...created].map(({ email }) => email).join(', ') || 'none';
    return `Left behind, because no operation deletes it: users: ${emails}; contact forms: ${sent.count}; audit records`;
  };
  return { sections, newUsers, describeResidue };
};
