import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import type { ReadCode } from '../code-source.ts';
import type { Contract } from '../contract.ts';
import type { Check, Section } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import type { AccountState } from './account-state.ts';
import { backOfficeChangeChecks } from './back-office-changes.ts';
import { emailCodeChecks } from './email-codes.ts';
import { type CreatedUsers, createNewUser, deletionCheck, deviceChecks, signUpChecks } from './new-user.ts';
import { secondFactorChangeChecks } from './second-factor.ts';
import { sessionChecks } from './sessions.ts';

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
  /** The accounts of the command line. */
  accounts: readonly AccountState[];
  contract: Contract;
  undo: UndoList;
};

/** The checks of --write, and what they leave in the deployment. */
export const createWriteSections = ({ mailDomain, readCode, accounts, contract, undo }: WriteOptions) => {
  const created: CreatedUsers = new Set();
  const sent: SentForms = { count: 0 };
  const users = ACCOUNT_KINDS.map((kind) => createNewUser(kind, mailDomain));
  const findAdministrator = () =>
    accounts.find(({ user, device }) => device && user?.platformRole === 'ADMIN');

  const changes = (): Check[] => {
    const administrator = findAdministrator();
    if (administrator)
      return users.slice(0, 1).flatMap((user) => backOfficeChangeChecks(administrator, user, undo));
    return [
      {
        name: 'changes in the back-office',
        run: async ({ skip }) => skip('give the --account of an administrator with the role ADMIN'),
      },
    ];
  };
  const sections: Section[] = [
    ...users.map((state) => ({
      title: `New ${state.kind.kind} ${state.email}`,
      checks: () => [
        ...signUpChecks(state, created),
        ...sessionChecks(state, contract, undo),
        ...deviceChecks(state, undo),
        ...emailCodeChecks(state, readCode, undo),
        ...secondFactorChangeChecks(state, undo),
      ],
    })),
    { title: 'Changes in the back-office', checks: changes },
    { title: 'Contact forms', checks: () => contactChecks(mailDomain, sent) },
    {
      title: 'End of the new users',
      checks: () => users.map((state) => deletionCheck(state, created, undo)),
    },
  ];
  const describeResidue = (): string => {
    const emails = [...created].join(', ') || 'none';
    return `Left behind, because no operation deletes it: users: ${emails}; contact forms: ${sent.count}; audit records`;
  };
  return { sections, describeResidue };
};
