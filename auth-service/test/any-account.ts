import {
  ACCOUNT_KINDS,
  type AccountKind,
  ADMINISTRATOR,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { createRecords } from '@platform/shared/testing/records';
import type { RunningAuthService } from './auth-service.ts';

export const ALL_KINDS: readonly AccountKind[] = [...ACCOUNT_KINDS, ADMINISTRATOR];

type Service = Pick<RunningAuthService, 'client' | 'databaseUrl'>;

/** An account of any kind: administrators do not sign up, so theirs is written into the database. */
export const createAnyAccount = async (
  { client, databaseUrl }: Service,
  kind: AccountKind,
): Promise<TestAccount> => {
  if (kind !== ADMINISTRATOR) return await client(kind).createAccount();
  const records = createRecords(databaseUrl);
  try {
    const { id, email, password } = await records.user(['ADMIN']);
    return { email, password, userId: id, profileId: '' };
  } finally {
    await records.close();
  }
};
