import { globSync, readFileSync } from 'node:fs';
import { readConfig as readAdminConfig } from '@platform/admin-service/config';
import { readConfig as readAuthConfig } from '@platform/auth-service/config';
import { getEnvironment } from '@platform/auth-service/testing/auth-service';
import { readConfig as readGatewayConfig } from '@platform/gateway/config';
import { readConfig as readWorkerConfig } from '@platform/mailer-worker/config';
import { getReadValues } from '@platform/shared/config/env';
import { KEY_FAMILIES } from '@platform/shared/redis/key-families';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { KEY_DECISIONS } from '../src/time/account-keys-store.ts';
import { KEPT, MOVED } from '../src/time/times.ts';
import { CONSTANTS, NO_DURATION, SETTINGS } from './rules/durations.ts';
import { RULES } from './rules/rules.ts';

/** The types of a time, and of numbers and documents that could contain one. */
const COLUMNS = `
  select table_name || '.' || column_name as name from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'
    and (data_type ~ '^(timestamp|time|date|interval|json)' or data_type = 'bigint')`;

/** A token that is due loses its id, which is no time. */
const isTokenId = (name: string): boolean => /^token_records\.(?:access|refresh)_token_id$/.test(name);

describe('times of an account', () => {
  it('name every column of the database that can have a time', async () => {
    const database = await createTestDatabase();
    const columns = await queryDatabase<{ name: string }>(database.url, COLUMNS);
    await database.drop();
    const moved = Object.entries(MOVED).flatMap(([table, { set }]) =>
      Object.keys(set).map((column) => `${table}.${column}`),
    );
    const decided = [...moved.filter((name) => !isTokenId(name)), ...Object.keys(KEPT)];
    expect(decided).to.have.members(columns.map(({ name }) => name));
  });

  it('name every family of keys in Redis', () => {
    expect(Object.keys(KEY_DECISIONS)).to.have.members([...KEY_FAMILIES]);
  });
});

/** Code that reads or writes accounts. The rest of shared/ and the gateway know none. Accounts have no milliseconds. */
const SOURCES = '{auth-service,admin-service,mailer-worker}/src/**/*.ts';
const SHARED_SOURCES = 'shared/src/{platform,tokens}/**/*.ts';
const NUMBER = String.raw`(?=\d|\w*(?:HOUR|DAY|MINUTE)\w*\s*[*,;])`;
const DURATION = new RegExp(
  String.raw`(\w*(?:seconds|minutes|hours?|days|perDay|[a-z]wait|forgottenAfter))\s*[:=]\s*${NUMBER}|interval '([1-9][^']*)'`,
  'gi',
);

const listConstants = (): string[] => {
  const files = [SOURCES, SHARED_SOURCES].flatMap((pattern) => globSync(pattern));
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const found = readFileSync(file, 'utf8').matchAll(DURATION);
      return [...found]
        .map(([, name, interval]) => name ?? interval)
        .filter((name) => !/milliseconds$/i.test(name ?? ''))
        .map((name) => `${file} ${name}`);
    });
};

const listSettings = (): string[] => {
  const environment = {
    ...getEnvironment('postgres://platform@localhost/platform'),
    REDIS_URL: 'redis://localhost',
    CONTACT_INBOX: 'contact@example.com',
    SMTP_URL: 'smtp://localhost',
    MAIL_FROM: 'platform@example.com',
    AUTH_SERVICE_URLS: 'http://localhost:3001',
    ADMIN_SERVICE_URLS: 'http://localhost:3002',
  };
  for (const read of [readAuthConfig, readAdminConfig, readWorkerConfig, readGatewayConfig])
    read(environment);
  return Object.entries(getReadValues(environment))
    .filter(([name, value]) => typeof value === 'number' && !NO_DURATION.test(name))
    .map(([name]) => name);
};

describe('rules of time of an account', () => {
  it('depend on every duration of the settings and of the code, unless there is a reason', () => {
    expect(Object.keys(SETTINGS).sort()).to.deep.equal(listSettings().sort());
    expect(Object.keys(CONSTANTS).sort()).to.deep.equal([...new Set(listConstants())].sort());
  });

  it('depend on a duration each', () => {
    const decisions = [...Object.values(SETTINGS), ...Object.values(CONSTANTS)];
    const named = decisions.flatMap((decision) => (typeof decision === 'string' ? [] : decision));
    expect([...new Set(named)]).to.have.members(RULES.map(({ name }) => name));
  });
});
