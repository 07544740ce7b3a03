import { badRequest, conflict } from '@platform/shared/errors/app-error';

export type Profile = {
  id: string;
  userId: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A user as one kind: with the profile that makes the user a customer or an employee. */
export type Account = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  isBlocked: boolean;
  roles: string[];
  createdAt: Date;
  profile: Profile;
};

export type AccountWithPassword = Account & { passwordHash: string };

export type NewProfile = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
};

/** One address in two letter cases is one address; users type it either way. */
export const normaliseEmail = (email: string): string => email.toLowerCase();

export const currentPasswordWrong = () =>
  badRequest('CURRENT_PASSWORD_WRONG', 'The current password is wrong');
export const emailTaken = () => conflict('EMAIL_TAKEN', 'An account with this e-mail exists');
