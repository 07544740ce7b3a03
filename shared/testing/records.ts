import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { hashSync } from 'bcryptjs';
import pg from 'pg';
import type { Language } from '../src/http/language.ts';
import type { SignInMethod } from '../src/platform/access/caller.ts';
import type { PlatformRole } from '../src/platform/access/platform-role.ts';
import { createTokenKeys, hashTokenId, signToken } from '../src/tokens/tokens.ts';
import { PASSWORD, uniqueEmail } from './builders.ts';
import { waitFor } from './poll.ts';

export type Role = PlatformRole | 'CUSTOMER' | 'EMPLOYEE';

export type UserRecord = {
  id: string;
  email: string;
  password: string;
  customerId: string;
  employeeId: string;
};
type SessionFields = {
  ip?: string;
  userAgent?: string | null;
  methods?: readonly SignInMethod[];
  signedInAt?: Date;
  refreshedAt?: Date | null;
  /** By default, in two hours. */
  expiresAt?: Date;
};
type UserFields = {
  email?: string;
  isBlocked?: boolean;
  isEmailVerified?: boolean;
  language?: Language;
  createdAt?: Date;
  id?: string;
  firstName?: string | null;
  lastName?: string | null;
};

type ProjectFields = {
  id?: string;
  ownerId?: string;
  title?: string;
  description?: string;
  category?: string;
  status?: string;
  contractingStage?: string | null;
  createdAt?: Date;
  /** When the owner deleted the account. */
  deletedAt?: Date;
};

type TeamFields = { id?: string; name?: string; slug?: string; status?: string; createdAt?: Date };
type MemberFields = {
  /** The employee, by default a new one. */
  employeeId?: string;
  role?: 'ADMINISTRATOR' | 'MEMBER';
  status?: 'INVITED' | 'ACTIVE' | 'REMOVED';
  canSign?: boolean;
  canSubmit?: boolean;
};

export type AuditRow = {
  action: string;
  actorId: string | null;
  targetType: string;
  targetId: string;
  requestId: string;
  address: string;
  details: Record<string, unknown>;
  createdAt: Date;
};

/** The claims of a token except its times, and how it is signed. */
type TokenFields = {
  secret: string;
  platformRole?: string | undefined;
  jti?: string;
  lifetimeSeconds?: number;
  /** How the session was signed in. By default with a password. */
  methods?: readonly SignInMethod[];
};

/** Returns a search term that no other test uses. */
export const uniqueWord = (): string => `w${randomBytes(6).toString('hex')}`;

const PASSWORD_HASH = hashSync(PASSWORD, 4);

const AUDIT = `
  select action, actor_id as "actorId", target_type as "targetType", target_id as "targetId",
    request_id as "requestId", address, details, created_at as "createdAt"
  from audit_records where target_id = $1 and action <> 'ACCOUNT_REGISTERED' order by created_at, action`;

const toKey = (secret: string) => createTokenKeys({ current: secret, previous: [] })[0];

const signAccessToken = (
  userId: string,
  jti: string,
  { secret, platformRole, lifetimeSeconds }: TokenFields,
) =>
  signToken(
    {
      userId,
      roles: platformRole === undefined ? [] : [platformRole],
      ...(platformRole && { platformRole }),
    },
    {
      key: toKey(secret),
      jti,
      lifetimeSeconds: lifetimeSeconds ?? 600,
    },
  );

/**
 * Inserts rows that no route creates (projects, teams, members, roles), and reads rows that no route returns.
 */
export const createRecords = (databaseUrl: string | (() => string)) => {
  let pool: pg.Pool | undefined;
  const openPool = (): pg.Pool => {
    const connectionString = typeof databaseUrl === 'string' ? databaseUrl : databaseUrl();
    const opened = new pg.Pool({ connectionString, max: 4, idleTimeoutMillis: 1_000 });
    // A database that is dropped while a connection is idle must not end the test run.
    return opened.on('error', () => undefined);
  };
  const query = async <Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    pool ??= openPool();
    return (await pool.query<Row>(text, [...values])).rows;
  };
  const getId = async (text: string, values: readonly unknown[]): Promise<string> => {
    const [row] = await query<{ id: string }>(text, values);
    if (!row) throw new Error('Postgres returned no id');
    return row.id;
  };

  const giveRole = async (userId: string, role: Role): Promise<void> => {
    await query(
      'insert into user_roles (user_id, role, user_created_at) select id, $2, created_at from users where id = $1',
      [userId, role],
    );
  };
  const addProfile = (table: string, userId: string, ...names: (string | null)[]) =>
    getId(`insert into ${table} (user_id, first_name, last_name) values ($1, $2, $3) returning id`, [
      userId,
      ...names,
    ]);

  /** The user has the password of the tests, and a profile for each role that has profiles. */
  const user = async (roles: readonly Role[] = [], fields: UserFields = {}): Promise<UserRecord> => {
    const { email = uniqueEmail(), isBlocked = false, isEmailVerified = false, firstName = 'Ada' } = fields;
    const { id: givenId = randomUUID(), createdAt, language = 'en', lastName = null } = fields;
    const id = await getId(
      `insert into users (id, email, password_hash, is_blocked, is_email_verified, created_at, language)
       values ($1, $2, $3, $4, $5, coalesce($6, now()), $7) returning id`,
      [givenId, email, PASSWORD_HASH, isBlocked, isEmailVerified, createdAt, language],
    );
    for (const role of roles) await giveRole(id, role);
    const profileId = (role: Role, table: string) =>
      roles.includes(role) ? addProfile(table, id, firstName, lastName) : Promise.resolve('');
    return {
      id,
      email,
      password: PASSWORD,
      customerId: await profileId('CUSTOMER', 'customer_profiles'),
      employeeId: await profileId('EMPLOYEE', 'employee_profiles'),
    };
  };

  const project = async (fields: ProjectFields = {}): Promise<string> => {
    const { title = 'Online shop', description = 'Twelve products and a cart.', category = 'WEB' } = fields;
    const { status = 'DRAFT', deletedAt = null } = fields;
    const stage = fields.contractingStage ?? (status === 'CONTRACTING' ? 'NEGOTIATION' : null);
    const ownerId = fields.ownerId ?? (await user(['CUSTOMER'])).id;
    return await getId(
      `insert into projects (id, owner_id, title, description, category, status, contracting_stage, created_at,
         deleted_at, deleted_by)
       values ($1, $2::uuid, $3, $4, $5, $6, $7, coalesce($8, now()), $9,
         case when $9::timestamptz is not null then $2::uuid end)
       returning id`,
      [
        fields.id ?? randomUUID(),
        ownerId,
        title,
        description,
        category,
        status,
        stage,
        fields.createdAt,
        deletedAt,
      ],
    );
  };

  const team = (fields: TeamFields = {}): Promise<string> => {
    const { id = randomUUID(), name = 'North Studio', slug = uniqueWord(), status = 'ONBOARDING' } = fields;
    return getId(
      `insert into teams (id, name, slug, status, verified_at, created_at)
       values ($1, $2, $3, $4::text, case when $4::text = 'ONBOARDING' then null else now() end, coalesce($5, now())) returning id`,
      [id, name, slug, status, fields.createdAt],
    );
  };

  /** Adds an employee to the team. Returns the id of the employee's profile. */
  const member = async (teamId: string, fields: MemberFields = {}): Promise<string> => {
    const { role = 'MEMBER', status = 'ACTIVE', canSign = false, canSubmit = false } = fields;
    const employeeId = fields.employeeId ?? (await user(['EMPLOYEE'])).employeeId;
    await query(
      `insert into team_members (team_id, employee_id, role, status, can_sign, can_submit, removed_at)
       values ($1, $2, $3, $4::text, $5, $6, case when $4::text = 'REMOVED' then now() end)`,
      [teamId, employeeId, role, status, canSign, canSubmit],
    );
    return employeeId;
  };

  const contactRequest = (): Promise<string> =>
    getId("insert into lead_requests (name, email) values ('Ada', $1) returning id", [uniqueEmail()]);

  /** A mail of the outbox that the mail server has rejected. */
  const failedMail = (to = uniqueEmail()): Promise<string> => {
    const mail = { template: 'lead-request', to, request: { name: 'Ada' } };
    const text = `insert into mail_outbox (mail, request_id, failed_at, failure, attempts)
      values ($1, 'request-1', now(), 'Rejected: 550', 1) returning id`;
    return getId(text, [mail]);
  };

  /** Registers the token id, as a sign-in does. A token without a record is invalid. */
  const registeredToken = async (userId: string, fields: TokenFields): Promise<string> => {
    const jti = fields.jti ?? randomUUID();
    await query(
      `insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id,
         refresh_token_expired_at, methods)
       values ($1, $2, now() + interval '1 hour', $3, now() + interval '2 hours', $4)`,
      [userId, hashTokenId(toKey(fields.secret), jti), randomUUID(), fields.methods ?? ['password']],
    );
    return signAccessToken(userId, jti, fields);
  };

  /** Inserts a session that is signed in. Its tokens cannot be used. Returns its id. */
  const session = async (userId: string, fields: SessionFields = {}): Promise<string> => {
    const { ip = '203.0.113.7', userAgent = null, methods = ['password'] } = fields;
    const { signedInAt = new Date(), refreshedAt = null, expiresAt = null } = fields;
    return await getId(
      `with token as (
         insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id,
           refresh_token_expired_at, methods, user_agent, created_at, refreshed_at)
         select $1, gen_random_uuid(), expires, gen_random_uuid(), expires, $2, $3, $4, $5
         from (select coalesce($6, now() + interval '2 hours') as expires) times returning id
       ) insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, id::text, $7 from token returning id`,
      [userId, methods, userAgent, signedInAt, refreshedAt, expiresAt, ip],
    );
  };

  return {
    query,
    session,
    user,
    giveRole,
    project,
    team,
    member,
    contactRequest,
    failedMail,
    registeredToken,
    unregisteredToken: (userId: string, fields: TokenFields): string =>
      signAccessToken(userId, fields.jti ?? randomUUID(), fields),
    removeRoles: async (userId: string): Promise<void> => {
      await query('delete from user_roles where user_id = $1', [userId]);
    },
    /** Deletes the account, as the user's own request does. */
    /** An invitation that waits, without a valid code and without its mail. Returns its id. */
    invitation: async (): Promise<string> => {
      const { id: inviterId } = await user(['ADMIN']);
      return await getId(
        `insert into invitations (email, role, language, code_hash, invited_by, expires_at)
         values ($1, 'OPERATOR', 'en', $2, $3, now() + interval '7 days') returning id`,
        [uniqueEmail(), randomUUID(), inviterId],
      );
    },
    deleteAccount: async (userId: string): Promise<void> => {
      const [row] = await query<{ obstacle: string | null }>('select delete_account($1) as obstacle', [
        userId,
      ]);
      if (row?.obstacle) throw new Error(`The account cannot be deleted: ${row.obstacle}`);
    },
    /** Second factors need a verified address, whose owner would enter a code. */
    verifyEmail: async (userId: string): Promise<void> => {
      await query('update users set is_email_verified = true where id = $1', [userId]);
    },
    block: async (userId: string, isBlocked = true): Promise<void> => {
      await query('update users set is_blocked = $2 where id = $1', [userId, isBlocked]);
    },
    /**
     * The audit records about a user, project or team, oldest first, without the record of the sign-up.
     * @param actions only these, by default all
     */
    /** Without successful sign-ins, which nearly every test needs, unless `actions` name them. */
    auditOf: async (targetId: string, ...actions: string[]): Promise<AuditRow[]> =>
      (await query<AuditRow>(AUDIT, [targetId])).filter(({ action }) =>
        actions.length === 0 ? action !== 'SIGNED_IN' : actions.includes(action),
      ),
    /** Failed sign-ins are recorded in the background. Waits for as many with these details. */
    waitForFailedSignIn: (targetId: string, details: Record<string, unknown>, count = 1): Promise<unknown> =>
      waitFor(`${count} failed sign-ins`, async () => {
        const found = await query<AuditRow>(AUDIT, [targetId]);
        const matching = found.filter(
          (record) =>
            record.action === 'SIGN_IN_FAILED' &&
            Object.entries(details).every(([name, value]) => isDeepStrictEqual(record.details[name], value)),
        );
        return matching.length >= count;
      }),
    /** The events about a user, project or team, oldest first. */
    /** Who caused each event of the subject. */
    causesOf: (subject: string) =>
      query<{ type: string; causedBy: string }>(
        'select type, caused_by as "causedBy" from events where subject = $1 order by sequence',
        [subject],
      ),
    eventsOf: (subject: string) =>
      query<{ type: string; data: object }>(
        'select type, data from events where subject = $1 order by sequence',
        [subject],
      ),
    close: async () => pool?.end(),
  };
};

export type Records = ReturnType<typeof createRecords>;

/** Creates records for the tests of a suite. `databaseUrl` is called when they start. */
export const useRecords = (databaseUrl: () => string): Records => {
  const records = createRecords(databaseUrl);
  after('close the database', records.close);
  return records;
};
