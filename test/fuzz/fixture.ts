import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  createAuthClient,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import type { RunningStack } from '@platform/shared/testing/stack';

/** A signed-in user. */
export type Identity = { role: Role; userId: string; email: string; kind: AccountKind; device: Device };
export type CodePurpose = 'verification' | 'reset' | 'email-change' | 'sign-in';

export const ROLES: readonly Role[] = ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'];
const CODE_SECONDS = 20;
/** A seed can only be replayed with the same numbers. */
const COUNTS = {
  identitiesOfEachRole: 3,
  members: 60,
  administrators: 10,
  operators: 30,
  blocked: 30,
  projects: 60,
  teams: 250,
  backOfficeRecords: 60,
};

const getKind = (role: Role): AccountKind => {
  if (role === 'CUSTOMER') return CUSTOMER;
  return role === 'EMPLOYEE' ? EMPLOYEE : ADMINISTRATOR;
};

const createMany = <Item>(count: number, create: () => Promise<Item>): Promise<Item[]> =>
  Promise.all(Array.from({ length: count }, create));

const createTargets = async (records: Records) => {
  const members = await createMany(COUNTS.members, () => records.user(['CUSTOMER', 'EMPLOYEE']));
  const administrators = await createMany(COUNTS.administrators, () => records.user(['ADMIN']));
  const operators = await createMany(COUNTS.operators, () => records.user(['OPERATOR']));
  const verified = await createMany(COUNTS.backOfficeRecords, () =>
    records.user(['CUSTOMER'], { isEmailVerified: true }),
  );
  const blocked = await createMany(COUNTS.blocked, () => records.user(['CUSTOMER'], { isBlocked: true }));
  const ownerId = members[0]?.id ?? '';
  return {
    memberEmails: members.map(({ email }) => email),
    administratorEmails: administrators.map(({ email }) => email),
    userIds: [...members.map(({ id }) => id), administrators[0]?.id ?? ''],
    /** Users whose platform role may be removed, unlike that of the callers. */
    operatorIds: operators.map(({ id }) => id),
    /** Users to whom a platform role may be assigned. */
    verifiedIds: verified.map(({ id }) => id),
    blockedIds: blocked.map(({ id }) => id),
    projectIds: await createMany(COUNTS.projects, () => records.project({ ownerId })),
    teamIds: await createMany(COUNTS.teams, () => records.team()),
    mailIds: await createMany(COUNTS.backOfficeRecords, records.failedMail),
    invitationIds: await createMany(COUNTS.backOfficeRecords, records.invitation),
    contactRequestIds: await createMany(COUNTS.backOfficeRecords, records.contactRequest),
    employeeIds: members.map(({ employeeId }) => employeeId),
    auditRecordIds: (
      await records.query<{ id: string }>(
        `insert into audit_records (action, target_type, target_id, request_id, address)
         select 'USER_BLOCKED', 'USER', $1, 'request-1', '127.0.0.1' from generate_series(1, $2) returning id`,
        [ownerId, COUNTS.backOfficeRecords],
      )
    ).map(({ id }) => id),
    /** Sessions in the notation of paths. */
    sessions: await createMany(COUNTS.backOfficeRecords, async () => {
      const { id } = await records.user(['CUSTOMER']);
      return `${id}/sessions/${await records.session(id)}`;
    }),
  };
};

const readAdminSecret = (dataDir: string): string => {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return secrets['JWT_ADMIN_ACCESS_SECRET_KEY'] ?? '';
};

/**
 * Creates tokens that no operation may accept: tokens of blocked users, unregistered, expired and forged
 * ones.
 */
const createInvalidTokens = async (records: Records, secret: string, blocked: readonly Identity[]) => {
  for (const { userId } of blocked) await records.block(userId);
  const userId = blocked[0]?.userId ?? '';
  const claims = { secret, platformRole: 'ADMIN' };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return [
    ...blocked.map(({ device }) => device.accessToken),
    records.unregisteredToken(userId, claims),
    records.unregisteredToken(userId, { ...claims, lifetimeSeconds: -60 }),
    records.unregisteredToken(userId, { secret: 'the-secret-of-another-issuer-00000000001' }),
    `${encode({ alg: 'none' })}.${encode({ userId })}.`,
    'not-a-token',
  ];
};

/** Creates the users, projects and teams that requests name. */
export const createFixture = async ({ stack, dataDir }: RunningStack) => {
  const records = createRecords(stack.databaseUrl);
  const inbox = createInboxClient(stack.inboxUrl);

  /** Second factors need a verified address, and verifications need an unverified one. */
  const createIdentity = async (role: Role, isEmailVerified = true): Promise<Identity> => {
    const { id, email } = await records.user([role], { isEmailVerified });
    const kind = getKind(role);
    const device = await createAuthClient(stack.gatewayUrl, kind).openDevice({ email, password: PASSWORD });
    return { role, userId: id, email, kind, device };
  };
  /** Requests a code for a user who has received none yet, and reads it from the mail. */
  const requestCode = async ({ kind, email, device }: Identity, purpose: CodePurpose): Promise<string> => {
    const client = createAuthClient(stack.gatewayUrl, kind);
    const newEmail = uniqueEmail();
    const requests = {
      verification: () => client.verificationEmailCode(device),
      reset: () => client.resetPasswordEmailCodeSend({ body: { email } }),
      'email-change': () =>
        send(stack.gatewayUrl, 'POST', `${kind.path}/email/change`, {
          headers: bearer(device),
          body: { newEmail, currentPassword: PASSWORD },
        }),
      'sign-in': () =>
        send(stack.gatewayUrl, 'POST', `${kind.path}/sign-in/email-code/send`, { body: { email } }),
    };
    const response = await requests[purpose]();
    // Otherwise a rejected request looks like a late mail.
    if (response.status >= 300) throw new Error(`no code was sent: ${response.status} ${response.text}`);
    const to = purpose === 'email-change' ? newEmail : email;
    // Notices have none.
    const find = async () => (await inbox.mailsTo(to)).findLast(({ text }) => /^\d{6}\b/.test(text));
    return codeIn(await waitFor('the code mail', find, CODE_SECONDS));
  };

  const targets = await createTargets(records);
  const roles = ROLES.flatMap((role) => Array.from({ length: COUNTS.identitiesOfEachRole }, () => role));
  // One user of each role has no verified address.
  const identities = await Promise.all(
    roles.map((role, index) => createIdentity(role, index % COUNTS.identitiesOfEachRole > 0)),
  );
  // These are other users, because a request with an invalid token may end the session, and the callers must
  // stay signed in.
  const tokenOwners = await Promise.all(roles.map((role) => createIdentity(role)));
  const blocked = await Promise.all(ROLES.map((role) => createIdentity(role)));
  const invalidTokens = await createInvalidTokens(records, readAdminSecret(dataDir), blocked);
  return {
    ...targets,
    identities,
    tokenOwners,
    invalidTokens,
    createIdentity,
    requestCode,
    records,
    gatewayUrl: stack.gatewayUrl,
    /** The issuer of the provider `company`. */
    issuer: stack.oidcIssuer ?? '',
  };
};

export type Fixture = Awaited<ReturnType<typeof createFixture>>;
