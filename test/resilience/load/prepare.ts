import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createRecords } from '@platform/shared/testing/records';
import type { HttpClient } from './http-client.ts';
import { signInCall } from './user-actions.ts';

const PROJECTS = 1_500;
const TEAMS = 40;

/** What no route makes: an administrator, who is signed in through `client`, and projects and teams to work on. */
export const prepareOffice = async (
  databaseUrl: string,
  client: HttpClient,
): Promise<{ adminToken: string; projectIds: string[] }> => {
  const records = createRecords(databaseUrl);
  try {
    const { email } = await records.user(['ADMIN'], { email: uniqueEmail() });
    const owner = await records.user(['CUSTOMER']);
    const rows = await records.query<{ id: string }>(
      `insert into projects (id, owner_id, title, description, category, status)
       select gen_random_uuid(), $1, 'Shop ' || n, 'To be edited.', 'WEB', 'DRAFT' from generate_series(1, $2::int) n
       returning id`,
      [owner.id, PROJECTS],
    );
    for (let count = 0; count < TEAMS; count += 1) await records.team();
    const account = { kind: ADMINISTRATOR, email, password: PASSWORD };
    const outcome = await client.send(signInCall(account, uniqueFingerprint()));
    if (outcome.kind === 'failure' || outcome.status !== 200)
      throw new Error(`The administrator cannot sign in: ${JSON.stringify(outcome)}`);
    return { adminToken: (outcome.body as { token: string }).token, projectIds: rows.map(({ id }) => id) };
  } finally {
    await records.close();
  }
};
