import type { UserAuthResponseDto } from '../.generated/hey-api/types.gen.ts';

/** This compiles only while `kind` discriminates the accounts. */
export const getLink = (account: UserAuthResponseDto): string => {
  // @ts-expect-error: an account of another kind has no such field.
  const link: string | undefined = account.user.customerId;
  switch (account.kind) {
    case 'customer':
      return account.user.customerId;
    case 'employee':
      return account.user.employeeId;
    case 'administrator':
      return account.user.platformRole ?? link ?? '';
  }
};
