import { createRecords, type Records, uniqueWord } from '@platform/shared/testing/records';
import { getPlatform } from '../support/platform.ts';

/** Runs `work` with records of the platform under test. */
export const withRecords = async <Result>(work: (records: Records) => Promise<Result>): Promise<Result> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
};

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A customer with a name that no other test has, signed in on one device. */
export const createCustomer = (fields: Parameters<Records['user']>[1] = {}) =>
  withRecords(async (records) => {
    const word = uniqueWord();
    const names = { firstName: 'Jonas', lastName: word };
    const user = await records.user(['CUSTOMER'], { isEmailVerified: true, ...names, ...fields });
    await records.session(user.id, { userAgent: CHROME });
    return { ...user, name: `Jonas ${word}`, word };
  });

export const createProject = (title = `Bakery ${uniqueWord()}`) =>
  withRecords(async (records) => ({ id: await records.project({ title }), title }));

/** A team that waits for its verification, with an administrator and a member. */
export const createTeam = (name = `Studio ${uniqueWord()}`) =>
  withRecords(async (records) => {
    const id = await records.team({ name });
    const { employeeId } = await records.user(['EMPLOYEE'], { firstName: 'Mila', lastName: 'Horvat' });
    await records.member(id, { employeeId, role: 'ADMINISTRATOR', canSign: true, canSubmit: true });
    await records.member(id);
    return { id, name };
  });

/** The audit actions on a user, project or team. */
export const actionsOf = (targetId: string): Promise<string[]> =>
  withRecords(async (records) => (await records.auditOf(targetId)).map(({ action }) => action));
