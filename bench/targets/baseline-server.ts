// The baseline of `GET /customers/auth/me`: bare node:http, one prepared statement, jsonwebtoken with a key object, the same
// response body. No router, validation, logs, metrics or errors. Reads DATABASE_URL, PORT and ACCESS_SECRET.
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import { hashTokenId } from '@platform/shared/tokens/tokens';
import jsonwebtoken from 'jsonwebtoken';
import pg from 'pg';

const { DATABASE_URL, PORT, ACCESS_SECRET = '' } = process.env;
const key = createSecretKey(Buffer.from(ACCESS_SECRET));
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const TEXT = `
  select u.id as user_id, u.email, u.is_email_verified, u.is_blocked, u.created_at as user_created_at,
    array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles,
    p.id as profile_id, p.first_name, p.last_name, p.phone, p.created_at as profile_created_at,
    p.updated_at as profile_updated_at, s.id as session_id, s.fingerprint, s.ip,
    s.created_at as session_created_at, s.updated_at as session_updated_at
  from token_records t join users u on u.id = t.user_id join sessions s on s.token_id = t.id
    join customer_profiles p on p.user_id = u.id
  where t.access_token_id = $1 and t.user_id = $2`;

type Row = {
  [Key in 'user_id' | 'email' | 'profile_id' | 'session_id' | 'fingerprint' | 'ip']: string;
} & {
  [Key in `${'user' | 'profile' | 'session'}_created_at` | `${'profile' | 'session'}_updated_at`]: Date;
} & {
  [Key in 'first_name' | 'last_name' | 'phone']: string | null;
} & { is_email_verified: boolean; is_blocked: boolean; roles: string[] };

const toBody = (row: Row): string =>
  JSON.stringify({
    user: {
      id: row.user_id,
      email: row.email,
      isEmailVerified: row.is_email_verified,
      roles: row.roles,
      createdAt: row.user_created_at,
      customerId: row.profile_id,
    },
    profile: {
      id: row.profile_id,
      userId: row.user_id,
      firstName: row.first_name,
      lastName: row.last_name,
      phone: row.phone,
      createdAt: row.profile_created_at,
      updatedAt: row.profile_updated_at,
    },
    session: {
      id: row.session_id,
      userId: row.user_id,
      fingerprint: row.fingerprint,
      ip: row.ip,
      createdAt: row.session_created_at,
      updatedAt: row.session_updated_at,
    },
  });

const findBody = async (authorization: string, fingerprint: unknown): Promise<string | undefined> => {
  const claims = jsonwebtoken.verify(authorization.slice('Bearer '.length), key, { algorithms: ['HS256'] });
  if (typeof claims === 'string') return undefined;
  const values = [hashTokenId(key, claims.jti ?? ''), claims['userId']];
  const { rows } = await pool.query<Row>({ name: 'me', text: TEXT, values });
  const [row] = rows;
  return row && !row.is_blocked && row.fingerprint === fingerprint ? toBody(row) : undefined;
};

createServer((req, res) => {
  const { authorization = '', 'x-fingerprint': fingerprint } = req.headers;
  void findBody(authorization, fingerprint)
    .catch(() => undefined)
    .then((body) => {
      const length = { 'Content-Length': Buffer.byteLength(body ?? '') };
      res.writeHead(body ? 200 : 401, { 'Content-Type': 'application/json; charset=utf-8', ...length });
      res.end(body);
    });
}).listen(Number(PORT), '127.0.0.1');
