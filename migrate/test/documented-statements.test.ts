import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { readDocBlocks } from '../../tools/doc-commands.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');

/**
 * The statements of a page that read or change rows, without those that contain variables of the shell.
 * `npm run check:operations` runs the `console` blocks.
 */
const readStatements = (page: string): string[] =>
  readDocBlocks(readFileSync(join(DOCS, page), 'utf8'))
    .filter(({ language }) => language !== 'console')
    .flatMap(({ language, lines }) => {
      const block = lines.join('\n');
      return language === 'sql'
        ? block.split(/;\n|;$/)
        : [...block.matchAll(/\bsql "([^"$]+)"/g)].map(([, sql = '']) => sql);
    })
    .map((sql) => sql.trim())
    .filter((sql) => /^(?:select|with|update|delete|copy \()/i.test(sql));

describe('statements of the documents', () => {
  let database: TestDatabase;
  before('create a database', async () => {
    database = await createTestDatabase();
    await queryDatabase(
      database.url,
      "insert into users (email, password_hash) values ('olga@example.com', '-')",
    );
  });
  after('drop it', () => database.drop());

  for (const page of readdirSync(DOCS).filter((name) => name.endsWith('.md')))
    for (const sql of readStatements(page))
      it(`run on the schema (${page}: ${sql.replace(/\s+/g, ' ').slice(0, 60)})`, async () => {
        await queryDatabase(database.url, `explain ${sql.replace(/^copy \((.+)\) to stdout$/s, '$1')}`);
      });

  it('export everything that is stored about a user, and the audit log', async () => {
    const [statement = ''] = readStatements('data-protection.md');
    const [row] = await queryDatabase<{ jsonb_pretty: string }>(database.url, statement);
    const exported = JSON.parse(row?.jsonb_pretty ?? '') as Record<string, object>;
    expect(exported).to.include.keys('user', 'sessions', 'contactForms', 'mails');
    expect(exported['additions']).to.include.keys('user', 'staysSignedIn', 'replies');
    expect(exported['auditLog']).to.deep.equal({ records: [], next: null });
  });
});
