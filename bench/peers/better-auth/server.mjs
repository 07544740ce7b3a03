// A peer of the benchmark: better-auth on Express, as in its guide. The benchmark copies this folder and
// installs it there. Reads DATABASE_URL, PORT and BETTER_AUTH_SECRET. The session is read from Postgres for
// each request.
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import express from 'express';
import pg from 'pg';

const { DATABASE_URL, PORT, BETTER_AUTH_SECRET } = process.env;

const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: BETTER_AUTH_SECRET,
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: false } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
};

const { runMigrations } = await getMigrations(options);
await runMigrations();

const app = express();
app.get('/readyz', (_req, res) => res.json({ status: 'ok' }));
app.all('/api/auth/*splat', toNodeHandler(betterAuth(options)));
app.listen(Number(PORT), '127.0.0.1');
