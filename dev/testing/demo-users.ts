import { queryDatabase } from '@platform/shared/testing/query-database';
import { demoAccounts } from '../seed/demo-people.ts';

export const DEMO_USERS = demoAccounts.map(({ email }) => email).sort();

/** The addresses of all users except the people of the demo content. */
export const listUsers = async (databaseUrl: string): Promise<string[]> => {
  const text = "select email from users where email not like '%@example.net' order by email";
  return (await queryDatabase<{ email: string }>(databaseUrl, text)).map(({ email }) => email);
};
