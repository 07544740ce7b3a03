import { createPasswordHasher } from '@platform/shared/passwords/password-hasher';
import { queryDatabase } from '@platform/shared/testing/query-database';

export const BENCH_PASSWORD = 'Password of the benchmark';
export const emailOf = (user: number): string => `user-${user}@bench.example`;

type Size = { users: number; records: number; expired: number };

/** Foreign keys and triggers are not checked row by row: what is inserted is right by construction. */
const QUICKLY =
  "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'";

/** Every record has a session of its own, evenly over the users; the expired ones lie evenly among the others, by age. */
const describeMarket = ({ users, records, expired }: Size, passwordHash: string): string[] => [
  `insert into users (email, password_hash)
     select 'user-' || n || '@bench.example', '${passwordHash}' from generate_series(0, ${users - 1}) n`,
  `insert into user_roles (user_id, role) select id, 'CUSTOMER' from users`,
  `insert into customer_profiles (user_id) select id from users`,
  `create temporary table numbered as
     select id, (row_number() over () - 1)::int as n from users order by email`,
  `create temporary table planned as
     select gen_random_uuid() as token_id, numbered.id as user_id, s.n as n,
       now() + make_interval(secs => case when s.n % ${records / expired} = 0
         then -86400.0 * (1 - s.n / ${records}.0) - 1 else 3600.0 * (1 + s.n / ${records}.0) end) as expires
     from generate_series(0, ${records - 1}) s(n) join numbered on numbered.n = s.n % ${users}`,
  `insert into token_records
     (id, user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
     select token_id, user_id, gen_random_uuid(), expires, gen_random_uuid(), expires from planned`,
  `insert into sessions (user_id, token_id, fingerprint, ip)
     select user_id, token_id, 'device-' || n, '127.0.0.1' from planned`,
  'drop table planned, numbered',
];

const hashQuickly = async (password: string): Promise<string> => {
  const hasher = createPasswordHasher({ cost: 4, maxQueue: 1 });
  try {
    return await hasher.hash(password);
  } finally {
    await hasher.close();
  }
};

/** Fills an empty database, in about a minute. */
export const buildTokens = async (databaseUrl: string, size: Size): Promise<void> => {
  const statements = describeMarket(size, await hashQuickly(BENCH_PASSWORD));
  await queryDatabase(databaseUrl, [QUICKLY, ...statements].join('; '));
  for (const table of ['users', 'user_roles', 'customer_profiles', 'token_records', 'sessions'])
    await queryDatabase(databaseUrl, `vacuum analyze ${table}`);
  await queryDatabase(databaseUrl, 'checkpoint');
};
