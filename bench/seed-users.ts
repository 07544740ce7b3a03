import type { SeedStatement } from './bulk-load.ts';
import { byAge, numberedRows, textArray } from './seed-sql.ts';

const FIRST_NAMES = textArray(
  'anna|peter|maria|john|elena|david|sofia|lucas|emma|noah|olga|ivan|julia|marco|nina|oscar|paula|quentin|rosa|simon|tina|umar|vera|walter|xenia|yusuf|zoe|bruno|clara|dmitri|eva|felix|greta|hugo|irina|jonas|karla|leo|mila|nadia',
);
export const LAST_NAMES = textArray(
  'smith|mueller|garcia|rossi|novak|kim|silva|ivanova|hansen|kowalski|dubois|costa|schmidt|petrov|larsen|weber|moreau|santos|bauer|nguyen|popescu|fischer|lopez|martin|keller|horvat|nagy|virtanen|berg|olsen|tanaka|singh|patel|okafor|mensah|cohen|levi|haddad|demir|yilmaz',
);
const DOMAINS = textArray('mail|post|inbox|web|corp');

/**
 * The oldest 2 % have domains in legacy.example, the newest in recent.example. 'classic' is part of the
 * domains of the older half.
 */
const DOMAIN = `choose(n, 'domain', ${DOMAINS}) || ${byAge({
  oldest: "'.classic.legacy.example'",
  newest: "'.recent.example'",
  olderHalf: "'.classic.example'",
  otherwise: "'.example'",
})}`;

/** The oldest 1 % are blocked, and one in a thousand of the others. */
const USERS = `
  insert into users (id, email, password_hash, is_email_verified, is_blocked, created_at, updated_at, last_sign_in_at)
  select md5('user' || n)::uuid,
    choose(n, 'first', ${FIRST_NAMES}) || '.' || choose(n, 'last', ${LAST_NAMES}) || n || '@' || ${DOMAIN},
    '-', pick(n, 'verified', 3) > 0, share < 0.01 or pick(n, 'blocked', 1000) = 0, at, at,
    case when pick(n, 'signed in', 4) > 0 then at end
  from ${numberedRows('user')}`;

/**
 * Three in five users are customers. One in a thousand is only an administrator. Of the others, the oldest 2
 * % are also operators, and the newest 2 % also arbiters.
 */
const ROLES = `
  insert into user_roles (user_id, role, user_created_at)
  select md5('user' || n)::uuid, role, at from ${numberedRows('user')}
  cross join lateral (values
    (case when n % 1000 = 0 then 'ADMIN' when n % 5 < 3 then 'CUSTOMER' else 'EMPLOYEE' end),
    (case when n % 1000 <> 0 then ${byAge({ oldest: "'OPERATOR'", newest: "'ARBITER'", otherwise: 'null' })} end)
  ) roles (role) where role is not null`;

/** The oldest and the newest 2 % have last names that no other user has. */
const LAST_NAME = byAge({
  oldest: "'Elderberry'",
  newest: "'Youngblood'",
  otherwise: `initcap(choose(n, 'last', ${LAST_NAMES}))`,
});

/** People write their numbers in different ways. */
const PHONE = `case pick(n, 'phone', 4)
    when 0 then '+49 170 ' || lpad(n::text, 8, '0')
    when 1 then '0170/' || lpad(n::text, 8, '0')
    when 2 then '0049 (170) ' || lpad(n::text, 8, '0')
  end`;

const profilesSql = (table: string, remainder: string): string => `
  insert into ${table} (user_id, first_name, last_name, phone)
  select md5('user' || n)::uuid, initcap(choose(n, 'first', ${FIRST_NAMES})), ${LAST_NAME}, ${PHONE}
  from ${numberedRows('user')} where n % 5 ${remainder} and n % 1000 <> 0`;

export const USER_TABLES = ['users', 'user_roles', 'customer_profiles', 'employee_profiles'];

export const seedUsers = (users: number): SeedStatement[] => [
  [USERS, [users]],
  [ROLES, [users]],
  [profilesSql('customer_profiles', '< 3'), [users]],
  [profilesSql('employee_profiles', '>= 3'), [users]],
];
