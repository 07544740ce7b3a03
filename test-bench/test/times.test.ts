import { KEY_FAMILIES } from '@platform/shared/redis/key-families';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { KEY_DECISIONS } from '../src/time/account-keys-store.ts';
import { KEPT, MOVED } from '../src/time/times.ts';

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
