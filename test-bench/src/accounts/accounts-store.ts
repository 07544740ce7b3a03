import { type Database, query } from '@platform/shared/db/database';
import type { LabelledAccount } from './account.ts';

/**
 * The accounts that the test bench has made, and those that were signed up from a network of a label: the record of the
 * sign-up has its address.
 */
const ACCOUNTS = `
  select a.user_id as id, a.label, coalesce(u.email, a.email) as email, a.email as first_email
  from test_bench.accounts a left join users u on u.id = a.user_id
  union all
  select u.id, n.label, u.email, u.email
  from test_bench.networks n join audit_records r on r.address = n.network
    and r.action in ('ACCOUNT_REGISTERED', 'ADMINISTRATOR_REGISTERED')
  join users u on u.id::text = r.target_id
  where not exists (select from test_bench.accounts a where a.user_id = u.id)`;

/** A team whose members all belong to the label ends with it. */
const DELETE_TEAMS = `
  delete from teams t where exists (
      select from team_members m join employee_profiles e on e.id = m.employee_id
      where m.team_id = t.id and e.user_id = $1)
    and not exists (
      select from team_members m join employee_profiles e on e.id = m.employee_id
      where m.team_id = t.id and e.user_id <> all($2::uuid[]))`;

export const createLabelledAccountStore = (database: Database) => {
  const run = <Row>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    query<Row>(database, { name: `test-bench-${name}`, text, values });
  return {
    add: async ({ id, label, email }: LabelledAccount): Promise<void> => {
      const text = 'insert into test_bench.accounts (user_id, label, email) values ($1, $2, $3)';
      await run('add-account', text, [id, label, email]);
    },

    find: async (id: string): Promise<LabelledAccount | undefined> =>
      (
        await run<LabelledAccount>(
          'find-account',
          `select id, label, email from (${ACCOUNTS}) each where id = $1 limit 1`,
          [id],
        )
      )[0],

    /** Also finds an account by the address that it was made with. */
    listByEmails: (emails: readonly string[]): Promise<{ email: string; label: string }[]> =>
      run(
        'labels-of-emails',
        `select distinct known.email, each.label from (${ACCOUNTS}) each
         cross join lateral (values (each.email), (each.first_email)) known (email) where known.email = any($1)`,
        [emails],
      ),

    listByLabel: (label: string): Promise<(LabelledAccount & { firstEmail: string | null })[]> =>
      run('accounts-of-label', `select * from (${ACCOUNTS}) each where label = $1 order by id`, [label]),

    /** Ends what would keep the deletion of an account: its teams, and its part in teams of others. */
    leaveTeams: async (id: string, ofLabel: readonly string[]): Promise<void> => {
      await run('delete-teams', DELETE_TEAMS, [id, ofLabel]);
      const own = 'select id from employee_profiles where user_id = $1';
      await run(
        'leave-teams',
        `update team_members set role = 'MEMBER' where role = 'ADMINISTRATOR' and employee_id in (${own})`,
        [id],
      );
    },

    /** Also deletes the mails that wait, such as that about the deletion. */
    remove: async (id: string): Promise<void> => {
      await run('remove-invitation', 'delete from invitations where id = $1', [id]);
      await run('remove-mails', 'delete from mail_outbox where user_id = $1', [id]);
      await run('remove-account', 'delete from test_bench.accounts where user_id = $1', [id]);
    },
  };
};

export type LabelledAccountStore = ReturnType<typeof createLabelledAccountStore>;
