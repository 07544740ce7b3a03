import type { components } from '@platform/openapi/types/auth';
import type { CallerAccount } from '@platform/shared/platform/access/caller';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import {
  PROFILE_COLUMNS,
  PROFILE_FIELDS,
  type Profile,
  type ProfileField,
} from '@platform/shared/platform/profile';
import type { Account } from '../authentication/callers.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import type { AccountWithPassword, FactorMethod } from './account.ts';

/** Requires the alias `u` for users. */
export const ROLES_COLUMN =
  'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';

/** Requires the alias `u` for users and `p` for the kind's profile. */
export const ACCOUNT_COLUMNS = `
  u.id as user_id, u.email, u.is_email_verified, u.is_blocked, u.language, u.time_zone, u.created_at as user_created_at,
  ${ROLES_COLUMN},
  p.id as profile_id, ${Object.values(PROFILE_COLUMNS)
    .map((column) => `p.${column}`)
    .join(', ')},
  p.created_at as profile_created_at, p.updated_at as profile_updated_at`;

/** Requires the alias `u` for users. */
export const FACTOR_COLUMNS = `
  exists (select 1 from totp_factors f where f.user_id = u.id and f.enabled_at is not null) as has_totp,
  exists (select 1 from passkeys k where k.user_id = u.id) as has_passkey,
  exists (select 1 from recovery_codes c where c.user_id = u.id) as has_recovery_code, u.is_second_step_on`;

/**
 * An inner join, so that a user without the profile is not found as this kind. A kind without profiles
 * includes all users.
 */
export const profileJoin = (kind: Kind): string => {
  const { profile } = KIND_CONFIGS[kind];
  return profile ? `join ${profile.table} p on p.user_id = u.id` : 'left join customer_profiles p on false';
};

export type AccountRow = Omit<CallerAccount, 'createdAt'> & {
  userCreatedAt: Date;
  profileId: string | null;
  profileCreatedAt: Date;
  profileUpdatedAt: Date;
} & Pick<Profile, ProfileField>;

export type FactorRow = {
  hasTotp: boolean;
  hasPasskey: boolean;
  hasRecoveryCode: boolean;
  isSecondStepOn: boolean;
};

/** Recovery codes alone are not a factor. */
export const toFactors = ({ hasTotp, hasPasskey, hasRecoveryCode }: FactorRow): FactorMethod[] => [
  ...(hasTotp ? (['totp'] as const) : []),
  ...(hasPasskey ? (['passkey'] as const) : []),
  ...(hasRecoveryCode && (hasTotp || hasPasskey) ? (['recovery-code'] as const) : []),
];

const toProfileFields = (row: AccountRow) =>
  Object.fromEntries(PROFILE_FIELDS.map((field) => [field, row[field]])) as Pick<Profile, ProfileField>;

export const toAccount = (row: AccountRow): Account => ({
  userId: row.userId,
  email: row.email,
  isEmailVerified: row.isEmailVerified,
  isBlocked: row.isBlocked,
  language: row.language,
  timeZone: row.timeZone,
  roles: row.roles,
  createdAt: row.userCreatedAt,
  profile:
    row.profileId === null
      ? null
      : {
          id: row.profileId,
          userId: row.userId,
          ...toProfileFields(row),
          createdAt: row.profileCreatedAt,
          updatedAt: row.profileUpdatedAt,
        },
});

export type AccountWithPasswordRow = AccountRow &
  FactorRow & { passwordHash: string | null; factorVersion: number };

export const toAccountWithPassword = (row: AccountWithPasswordRow): AccountWithPassword => ({
  ...toAccount(row),
  passwordHash: row.passwordHash,
  factorVersion: row.factorVersion,
  factors: toFactors(row),
  isSecondStepOn: row.isSecondStepOn,
});

type Schemas = components['schemas'];

type UserBodies = {
  customer: Schemas['CustomerUser'];
  employee: Schemas['EmployeeUser'];
  administrator: Schemas['AdministratorUser'];
};

/** The profile's id or the platform role, depending on the kind. */
const getKindFields = (kind: Kind, { profile, roles }: Account) => {
  const config = KIND_CONFIGS[kind];
  const platformRole = config.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    ...(config.profile && profile && { [config.profile.idField]: profile.id }),
    ...(platformRole && { platformRole }),
  };
};

/** Omits the password hash and the fields of other kinds. */
export const toUserBody = <K extends Kind>(kind: K, account: Account): UserBodies[K] =>
  ({
    id: account.userId,
    email: account.email,
    isEmailVerified: account.isEmailVerified,
    roles: account.roles as Schemas['RoleType'][],
    createdAt: account.createdAt.toISOString(),
    ...getKindFields(kind, account),
    // The compiler cannot relate KIND_CONFIGS to the schemas, but the tests validate the responses.
  }) as UserBodies[K];

/** The profile; null for administrators. An account of another kind always has one (profileJoin). */
export const toProfileBody = <K extends Kind>(_kind: K, { profile }: Account) =>
  profile as K extends ProfileKind ? Profile : null;
