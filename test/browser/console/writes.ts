import { uniqueEmail } from '@platform/shared/testing/builders';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import type { Page } from 'playwright-core';
import { createCustomer, createProject, withRecords } from './back-office-records.ts';
import { chooseAction, consoleUrl, createColleague, type Person } from './console-tab.ts';

type Customer = Awaited<ReturnType<typeof createCustomer>>;
export type Subject = {
  customer: Customer;
  colleague: Person;
  request: string;
  project: string;
  title: string;
};

/** A write of the console. */
export type Write = {
  path: (subject: Subject) => string;
  /** Creates what is changed. */
  create?: (subject: Subject) => Promise<unknown>;
  send: (page: Page, subject: Subject) => Promise<unknown>;
  said: (subject: Subject) => string | RegExp;
  action: string;
};

export const query = (text: string, ...values: unknown[]) =>
  withRecords((records) => records.query(text, values));

const press = async (page: Page, ...names: (string | RegExp)[]): Promise<void> => {
  for (const name of names)
    await page
      .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
      .first()
      .click();
};
const choose = async (page: Page, item: string, confirm: string): Promise<void> => {
  await chooseAction(page, item);
  await page.locator('dialog[open]').getByRole('button', { name: confirm, exact: true }).click();
};
const assign = async (page: Page, from: RegExp, to: string): Promise<void> => {
  await press(page, from);
  await page.getByRole('menuitemradio', { name: to }).click();
};
const write = async (page: Page, text: string, name: string): Promise<void> => {
  await page.locator('textarea').last().fill(text);
  await press(page, name);
};

const addFactors = ({ customer }: Subject) => withRecords((records) => addSecondFactor(records, customer.id));
const addSession = ({ customer }: Subject) =>
  withRecords((records) => records.session(customer.id, { userAgent: 'curl' }));
const pause = ({ customer }: Subject) =>
  query(
    `insert into failed_guesses (subject, secret, scope, failures, waits_until, expires_at)
     values ($1, 'password', 'account', 100, now() + interval '1 hour', 'infinity')`,
    customer.id,
  );
const link = ({ customer }: Subject) =>
  query(
    `insert into identities (user_id, provider, issuer, subject) values ($1::uuid, 'company', 'issuer', $1)`,
    customer.id,
  );
const setVerified = (isVerified: boolean) => (subject: Subject) =>
  query('update users set is_email_verified = $2 where id = $1', subject.customer.id, isVerified);

const user = ({ customer }: Subject) => `users/${customer.id}`;
const request = (subject: Subject) => `contact-requests/${subject.request}`;
const failedMail = () => withRecords((records) => records.failedMail());

/** The writes about one customer, in this order. */
const ON_USERS: Readonly<Record<string, Write>> = {
  block: {
    path: user,
    send: (page) => choose(page, 'Block …', 'Block user'),
    said: ({ customer }) => `${customer.name} is blocked.`,
    action: 'USER_BLOCKED',
  },
  unblock: {
    path: user,
    send: (page) => press(page, 'Unblock …', 'Unblock user'),
    said: ({ customer }) => `${customer.name} is unblocked.`,
    action: 'USER_UNBLOCKED',
  },
  note: {
    path: user,
    send: async (page) => {
      await page.keyboard.press('n');
      await page.locator('dialog[open] textarea').fill('Called back');
      await press(page, 'Add note');
    },
    said: () => 'The note is saved.',
    action: 'USER_NOTE_ADDED',
  },
  'end of a pause': {
    path: user,
    create: pause,
    send: (page) => press(page, 'Lift the pause'),
    said: () => 'The pause is lifted.',
    action: 'PAUSE_ENDED',
  },
  'end of a session': {
    path: user,
    send: (page) => press(page, /^End … Chrome/, 'End session'),
    said: () => 'The session on Chrome on Windows has ended.',
    action: 'SESSION_ENDED',
  },
  'end of all sessions': {
    path: user,
    create: addSession,
    send: async (page) => {
      await chooseAction(page, 'End all sessions …');
      await page.locator('dialog[open]').getByRole('button', { name: 'End all sessions' }).click();
    },
    said: ({ customer }) => `${customer.name} is signed out everywhere.`,
    action: 'SESSIONS_ENDED',
  },
  'removal of an app': {
    path: user,
    create: addFactors,
    send: (page) => press(page, 'Remove … Authenticator app', 'Remove app'),
    said: ({ customer }) => `The authenticator app of ${customer.name} is removed.`,
    action: 'SECOND_FACTOR_RESET',
  },
  'removal of a passkey': {
    path: user,
    send: (page) => press(page, 'Remove … Key', 'Remove passkey'),
    said: () => 'The passkey “Key” is removed.',
    action: 'SECOND_FACTOR_RESET',
  },
  'removal of all factors': {
    path: user,
    create: addFactors,
    send: (page) => choose(page, 'Remove app, passkeys and codes …', 'Remove factors'),
    said: ({ customer }) => `${customer.name} has no second step any more.`,
    action: 'SECOND_FACTOR_RESET',
  },
  'end of a connection': {
    path: user,
    create: link,
    send: (page) => press(page, /^Disconnect …/, 'Disconnect'),
    said: () => /is disconnected\./,
    action: 'IDENTITY_UNLINKED',
  },
  'reset mail': {
    path: user,
    send: async (page) => chooseAction(page, 'Send a reset mail'),
    said: ({ customer }) => `A mail with a code is on its way to ${customer.email}.`,
    action: 'RESET_MAIL_SENT',
  },
  'verification mail': {
    path: user,
    create: setVerified(false),
    send: (page) => press(page, 'Send the mail again'),
    said: ({ customer }) => `A mail with a code is on its way to ${customer.email}.`,
    action: 'VERIFICATION_MAIL_SENT',
  },
  'new role': {
    path: user,
    create: setVerified(true),
    send: (page) => choose(page, 'Give a role …', 'Give role'),
    said: ({ customer }) => `${customer.name} has the role Operator now.`,
    action: 'ROLE_ASSIGNED',
  },
  'loss of a role': {
    path: user,
    send: (page) => choose(page, 'Take the role …', 'Take role'),
    said: ({ customer }) => `${customer.name} no longer has the role Operator.`,
    action: 'ROLE_REMOVED',
  },
  deletion: {
    path: user,
    send: async (page, { customer }) => {
      await chooseAction(page, 'Delete the account …');
      await page.getByLabel(`Type ${customer.email} to confirm`).fill(customer.email);
      await press(page, 'Delete account');
    },
    said: ({ customer }) => `The account of ${customer.name} is deleted.`,
    action: 'ACCOUNT_DELETED',
  },
};

/** The writes about one project, one request, and the newest invitation and mail, in this order. */
const OF_WORK: Readonly<Record<string, Write>> = {
  'edit of a project': {
    path: ({ project }) => `projects/${project}/edit`,
    send: async (page) => {
      await page.locator('textarea[name=description]').fill('Fifty products in one shop');
      await press(page, 'Save changes');
    },
    said: () => 'The changes are saved.',
    action: 'PROJECT_EDITED',
  },
  'deletion of a project': {
    path: ({ project }) => `projects/${project}`,
    send: (page) => press(page, 'Delete …', 'Delete project'),
    said: ({ title }) => `“${title}” is deleted.`,
    action: 'PROJECT_DELETED',
  },
  'restoration of a project': {
    path: () => 'projects/deleted',
    send: (page, { title }) => press(page, `Restore: ${title}`),
    said: ({ title }) => `“${title}” is restored.`,
    action: 'PROJECT_RESTORED',
  },
  'assignment to oneself': {
    path: request,
    send: (page) => assign(page, /^Assigned to: Nobody yet/, 'You'),
    said: () => 'The request is yours.',
    action: 'CONTACT_REQUEST_ASSIGNED',
  },
  'assignment to a colleague': {
    path: request,
    send: (page, { colleague }) => assign(page, /^Assigned to: You/, colleague.email),
    said: ({ colleague }) => `The request is assigned to ${colleague.email}.`,
    action: 'CONTACT_REQUEST_ASSIGNED',
  },
  'note about a request': {
    path: request,
    send: async (page) => {
      await press(page, 'Internal note');
      await write(page, 'Call back', 'Add note');
    },
    said: () => 'The note is saved.',
    action: 'CONTACT_REQUEST_NOTE_ADDED',
  },
  'reply to a request': {
    path: request,
    send: (page) => write(page, 'Here you are', 'Send reply'),
    said: () => 'The reply is on its way.',
    action: 'CONTACT_REQUEST_REPLIED',
  },
  'end of a request': {
    path: request,
    send: (page) => press(page, /^Done and next/),
    said: () => 'The request is done.',
    action: 'CONTACT_REQUEST_DONE',
  },
  invitation: {
    path: () => 'colleagues',
    send: async (page) => {
      await press(page, 'Invite a colleague');
      await page.locator('dialog[open] input[name=email]').fill(uniqueEmail());
      await press(page, 'Send invitation');
    },
    said: () => /is invited\./,
    action: 'INVITATION_SENT',
  },
  'end of an invitation': {
    path: () => 'colleagues',
    send: (page) => press(page, /^Withdraw …/, 'Withdraw invitation'),
    said: () => /is withdrawn\./,
    action: 'INVITATION_WITHDRAWN',
  },
  'repetition of a mail': {
    path: () => 'mails?state=failed',
    create: failedMail,
    send: (page) => press(page, /^Send now:/),
    said: () => 'The mail is being sent.',
    action: 'MAIL_RETRIED',
  },
  'deletion of a mail': {
    path: () => 'mails?state=failed',
    create: failedMail,
    send: (page) => press(page, /^Delete …/, 'Delete mail'),
    said: () => 'The mail is deleted.',
    action: 'MAIL_DELETED',
  },
};

export const WRITES = { 'on users': ON_USERS, 'of other work': OF_WORK };

export const createSubject = async (): Promise<Subject> => {
  const { id: project, title } = await createProject();
  return {
    customer: await createCustomer({ email: `write-${Date.now()}@example.com` }),
    colleague: await createColleague('ADMIN'),
    request: await withRecords((records) => records.contactRequest()),
    project,
    title,
  };
};

/** Creates what is changed, and opens its page. */
export const openWrite = async (page: Page, { path, create }: Write, subject: Subject): Promise<void> => {
  await create?.(subject);
  // The page is loaded, although the path may be that of the page before.
  await page.goto('about:blank');
  await page.goto(consoleUrl(path(subject)));
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
};
