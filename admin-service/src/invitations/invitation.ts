import { conflict, notFound } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { UserReference } from '../lists/user-reference.ts';

/** An invitation that waits for its acceptance. */
export type Invitation = {
  id: string;
  email: string;
  role: PlatformRole;
  /** The mail is written in it. */
  language: Language;
  invitedBy: UserReference;
  createdAt: Date;
  expiresAt: Date;
};

export type NewInvitation = {
  /** In lower case. */
  email: string;
  role: PlatformRole;
  language: Language;
  codeHash: string;
  invitedBy: string;
};

/** `language`: of the mail; by default, that of the inviter. */
export type InvitationRequest = { email: string; role: PlatformRole; language?: Language };

export const invitedEmailTaken = () =>
  conflict('EMAIL_TAKEN', 'An account with this e-mail already exists; assign the role to it');
export const invitationNotFound = () => notFound('INVITATION_NOT_FOUND', 'Invitation not found');
