import type { AuditAction } from '@platform/shared/audit/audit-log';
import { storeAuditDayTotals } from '@platform/shared/db/audit-day-totals';
import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import type { AuditFilter } from '../../src/audit-log/audit-log-store.ts';
import type { Page, Paged } from '../../src/lists/pagination.ts';
import type { ProjectFilter } from '../../src/projects/project.ts';
import { createStores, type Stores } from '../../src/stores.ts';
import type { UserFilter } from '../../src/users/user.ts';

const ROWS = 2_500;
const ACTOR = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';

/** Numbers of rows, 1 is the oldest, that share a property; in SQL. */
type Distribution = { time: string; isRare: string; isAnalyzed: boolean };

const DISTRIBUTIONS: Record<string, Distribution> = {
  'with the matches among the oldest rows': { time: 'n', isRare: 'n <= 150', isAnalyzed: true },
  'with the matches among the newest rows': { time: 'n', isRare: 'n > 2350', isAnalyzed: false },
  'with half of the rows of one time, from an import': {
    time: 'case when n between 600 and 1900 then 600 else n end',
    isRare: 'n % 3 = 0',
    isAnalyzed: true,
  },
  'with random times and matches': {
    time: '(random() * 300)::int',
    isRare: 'random() < 0.3',
    isAnalyzed: true,
  },
  'spread over nine days': { time: 'n * 5', isRare: 'n % 3 = 0', isAnalyzed: true },
  'spread over nine days, with the matches on one of them': {
    time: 'n * 5',
    isRare: 'n between 900 and 1100',
    isAnalyzed: false,
  },
  'with one time': { time: '0', isRare: 'n % 2 = 0', isAnalyzed: false },
};

const seed = ({ time, isRare }: Distribution): string => `
  create temporary table seeds as select n, (${isRare}) as is_rare, timestamptz '2026-01-01 00:00Z' + (${time}) * interval '1 minute' as at,
    gen_random_uuid() as id from generate_series(1, ${ROWS}) n;
  insert into users (id, email, password_hash, is_blocked, created_at)
    select id, case when is_rare then 'a_%' else 'b' end || n || '@x.example', '-', is_rare and n % 2 = 0, at from seeds;
  insert into user_roles (user_id, role) select id, case when is_rare then 'EMPLOYEE' else 'CUSTOMER' end from seeds;
  insert into user_roles (user_id, role) select id, 'ADMIN' from seeds where n % 400 = 0;
  insert into projects (owner_id, title, description, category, status, created_at, deleted_at, deleted_by)
    select id, case when is_rare then 'RARE ' else 'Plain ' end || n, case when is_rare then 'x' else 'ÄÖ 100% ' end || ' text',
      case when n % 2 = 0 then 'WEB' else 'DATA' end, case when is_rare then 'DRAFT' else 'COMPLETED' end, at,
      case when n % 10 = 0 then at end, case when n % 10 = 0 then id end from seeds;
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, created_at)
    select case when is_rare then 'USER_BLOCKED' else 'USER_UNBLOCKED' end, case when is_rare then '${ACTOR}'::uuid else id end,
      'USER', case when n % 2 = 0 then 'even' else 'odd' end, 'r', 'a', at from seeds;`;

type Case = {
  /** Selects the same rows as the filter, with the keys. */
  reference: string;
  list: (stores: Stores, page: Page) => Promise<Paged<{ id: string }>>;
};

const users = (filter: UserFilter, condition: string): Case => ({
  reference: `select id, created_at from users u where ${condition}`,
  list: ({ users: store }, page) => store.list(filter, page),
});
const projects = (filter: ProjectFilter, condition: string): Case => ({
  reference: `select id, created_at from projects where deleted_at is null and ${condition}`,
  list: ({ projects: store }, page) => store.list(filter, page),
});
const records = (filter: AuditFilter, condition: string): Case => ({
  reference: `select id, created_at from audit_records where ${condition}`,
  list: ({ auditLog }, page) => auditLog.list(filter, page),
});

const hasRole = (role: string) =>
  `exists (select from user_roles r where r.user_id = u.id and r.role = '${role}')`;
const action: AuditAction = 'USER_BLOCKED';
const otherAction: AuditAction = 'USER_UNBLOCKED';
const from = new Date('2026-01-01T02:00:00Z');
const until = new Date('2026-01-02T02:00:00Z');

const CASES: Record<string, Case> = {
  users: users({}, 'true'),
  'users with the role EMPLOYEE': users({ role: 'EMPLOYEE' }, hasRole('EMPLOYEE')),
  'users with the role CUSTOMER': users({ role: 'CUSTOMER' }, hasRole('CUSTOMER')),
  'users with the role ADMIN': users({ role: 'ADMIN' }, hasRole('ADMIN')),
  'users with the role OPERATOR': users({ role: 'OPERATOR' }, 'false'),
  'blocked users with the role EMPLOYEE': users(
    { role: 'EMPLOYEE', isBlocked: true },
    `is_blocked and ${hasRole('EMPLOYEE')}`,
  ),
  'users with a common term': users({ search: 'X.EX' }, 'true'),
  'users with a pattern character': users({ search: '_%' }, "email like 'a%'"),
  'users with one character': users({ search: 'b' }, "email like 'b%'"),
  'users with a rare term': users({ search: '240@' }, "email like '%240@%'"),
  'users with a term without matches': users({ search: 'nobody' }, 'false'),
  'users with a role and a term': users(
    { role: 'EMPLOYEE', search: '5' },
    `email like '%5%' and ${hasRole('EMPLOYEE')}`,
  ),
  'users with a role, a block and a rare term': users(
    { role: 'EMPLOYEE', isBlocked: true, search: '40@x' },
    `email like '%40@x%' and is_blocked and ${hasRole('EMPLOYEE')}`,
  ),
  'projects with a term': projects({ search: 'rare' }, "title like 'RARE%'"),
  'projects with an umlaut': projects({ search: 'äö' }, "title like 'Plain%'"),
  'projects with a per cent sign': projects({ search: '0% ' }, "title like 'Plain%'"),
  'projects with a term, a status and a category': projects(
    { search: 'TEXT', status: 'DRAFT', category: 'WEB' },
    "status = 'DRAFT' and category = 'WEB'",
  ),
};

const RECORD_CASES: Record<string, Case> = {
  'records of an actor': records({ actorId: ACTOR }, `actor_id = '${ACTOR}'`),
  'records of an actor and a target': records(
    { actorId: ACTOR, targetId: 'even' },
    `actor_id = '${ACTOR}' and target_id = 'even'`,
  ),
  'records of a time': records(
    { from, until },
    "created_at >= '2026-01-01T02:00Z' and created_at < '2026-01-02T02:00Z'",
  ),
  'records of an action and a target': records(
    { action, targetId: 'odd' },
    `action = '${action}' and target_id = 'odd'`,
  ),
  'records of an action and a time': records(
    { action, from, until },
    `action = '${action}' and created_at >= '2026-01-01T02:00Z' and created_at < '2026-01-02T02:00Z'`,
  ),
  'records of a target': records({ targetId: 'odd' }, "target_id = 'odd'"),
  'records of an actor, an action and a target': records(
    { actorId: ACTOR, action, targetId: 'even' },
    `actor_id = '${ACTOR}' and target_id = 'even'`,
  ),
  'records of an actor without the action': records({ actorId: ACTOR, action: otherAction }, 'false'),
  'records of an actor since a time': records(
    { actorId: ACTOR, from },
    `actor_id = '${ACTOR}' and created_at >= '2026-01-01T02:00Z'`,
  ),
  'records of an actor and a target until a time': records(
    { actorId: ACTOR, targetId: 'odd', until },
    `actor_id = '${ACTOR}' and target_id = 'odd' and created_at < '2026-01-02T02:00Z'`,
  ),
  'records of an empty time': records({ from, until: from }, 'false'),
};

/** The past days whose records are counted in advance, by the statement that follows the count of all. */
const COUNTED_DAYS: Record<string, string | undefined> = {
  'no day': undefined,
  'every day': 'select',
  'every second day': 'delete from audit_days where extract(day from day) % 2 = 0',
};

for (const [name, distribution] of Object.entries(DISTRIBUTIONS))
  describe(`lists ${name}, ${distribution.isAnalyzed ? 'analyzed' : 'never analyzed'}`, () => {
    let database: TestDatabase;
    let pool: DatabasePool;
    before(async () => {
      database = await createTestDatabase();
      await queryDatabase(database.url, seed(distribution) + (distribution.isAnalyzed ? 'analyze;' : ''));
      pool = connectDatabase({
        url: database.url,
        applicationName: 'test',
        maxConnections: 4,
        onError: () => undefined,
      });
    });
    after(async () => {
      await pool.close();
      await database.drop();
    });

    const expectEveryPage = async ({ reference, list }: Case): Promise<void> => {
      const expected = await queryDatabase<{ id: string }>(
        database.url,
        `${reference} order by created_at desc, id desc`,
      );
      const ids = expected.map(({ id }) => id);
      const last = Math.max(1, Math.ceil(ids.length / 7));
      const pages = [
        ...Array.from({ length: Math.ceil(ids.length / 100) + 1 }, (_, index) => ({
          page: index + 1,
          perPage: 100,
        })),
        ...[1, 5, Math.ceil(last / 2), last].map((page) => ({ page, perPage: 7 })),
      ];
      for (const page of pages) {
        const { rows, total } = await list(createStores(pool), page);
        expect(total).to.equal(ids.length);
        const start = (page.page - 1) * page.perPage;
        expect(rows.map(({ id }) => id)).to.deep.equal(ids.slice(start, start + page.perPage));
      }
    };

    for (const [title, listCase] of Object.entries(CASES))
      it(`have every page and the exact total of ${title}`, () => expectEveryPage(listCase));

    for (const [days, statement] of Object.entries(COUNTED_DAYS))
      describe(`with ${days} counted in advance`, () => {
        before(async () => {
          if (statement === undefined) return;
          await storeAuditDayTotals((text) => queryDatabase(database.url, text));
          await queryDatabase(database.url, statement);
        });

        for (const [title, listCase] of Object.entries(RECORD_CASES))
          it(`have every page and the exact total of ${title}`, () => expectEveryPage(listCase));
      });
  });
