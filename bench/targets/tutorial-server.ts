// The server that a tutorial would build: Express, Knex and jsonwebtoken, with a session lookup for each
// request, behind bare-proxy-server.ts. It has no validation, limits, metrics or logs. Reads DATABASE_URL,
// ACCESS_SECRET and PORT.
import express, { type RequestHandler } from 'express';
import jsonwebtoken from 'jsonwebtoken';
import knexPackage from 'knex';

const { DATABASE_URL = '', ACCESS_SECRET = '', PORT } = process.env;
const knex = knexPackage({ client: 'pg', connection: DATABASE_URL });

type Times = { created_at: Date; updated_at: Date };
/** The columns of the profile, with those of its user. */
type Account = Times & {
  id: string;
  user_id: string;
  email: string;
  is_email_verified: boolean;
  user_created_at: Date;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
};
type Session = Times & { id: string; user_id: string; fingerprint: string; ip: string };

const toUserBody = (account: Account, roles: string[]) => ({
  id: account.user_id,
  email: account.email,
  isEmailVerified: account.is_email_verified,
  roles,
  createdAt: account.user_created_at,
  customerId: account.id,
});

const toProfileBody = (account: Account) => ({
  id: account.id,
  userId: account.user_id,
  firstName: account.first_name,
  lastName: account.last_name,
  phone: account.phone,
  createdAt: account.created_at,
  updatedAt: account.updated_at,
});

const toSessionBody = (session: Session) => ({
  id: session.id,
  userId: session.user_id,
  fingerprint: session.fingerprint,
  ip: session.ip,
  createdAt: session.created_at,
  updatedAt: session.updated_at,
});

const readUserId = (authorization = ''): string | undefined => {
  try {
    const claims = jsonwebtoken.verify(authorization.replace('Bearer ', ''), ACCESS_SECRET);
    return typeof claims === 'object' ? claims['userId'] : undefined;
  } catch (error) {
    if (error instanceof jsonwebtoken.JsonWebTokenError) return undefined;
    throw error;
  }
};

const authenticate: RequestHandler = async (req, res, next) => {
  const userId = readUserId(req.headers.authorization);
  const fingerprint = req.get('X-Fingerprint');
  const session =
    userId === undefined || fingerprint === undefined
      ? undefined
      : await knex<Session>('sessions').where({ user_id: userId, fingerprint }).first();
  if (!session) return void res.status(401).json({ message: 'Unauthorized' });
  res.locals['session'] = session;
  next();
};

const me: RequestHandler = async (_req, res) => {
  const session = res.locals['session'] as Session;
  const account: Account | undefined = await knex('users')
    .join('customer_profiles as profile', 'profile.user_id', 'users.id')
    .where('users.id', session.user_id)
    .first('profile.*', 'users.email', 'users.is_email_verified', 'users.created_at as user_created_at');
  const roles = await knex('user_roles').where({ user_id: session.user_id }).pluck('role');
  if (!account) return void res.status(404).json({ message: 'Not found' });
  res.json({
    user: toUserBody(account, roles),
    profile: toProfileBody(account),
    session: toSessionBody(session),
  });
};

express()
  .use(express.json())
  .get('/api/v1/customers/auth/me', authenticate, me)
  .listen(Number(PORT), '127.0.0.1');
