import {
  createInvitationCodeHash,
  generateInvitationCode,
} from '@platform/shared/platform/codes/invitation-code';
import type { PlatformRole } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';
import { CODE_SECRET } from './auth-service.ts';

type Fields = {
  email?: string;
  role?: PlatformRole;
  language?: 'en' | 'de';
  inviterId?: string;
  /** The one of the service; by default that of the tests. */
  codeSecret?: string;
};

/** Inserts an invitation, as admin-service does, with its inviter. Returns its code. */
export const insertInvitation = async (records: Records, fields: Fields = {}) => {
  const { email = uniqueEmail(), role = 'OPERATOR', language = 'en', codeSecret = CODE_SECRET } = fields;
  const inviterId = fields.inviterId ?? (await records.user(['ADMIN'])).id;
  const code = generateInvitationCode();
  const [hash] = createInvitationCodeHash({ current: codeSecret, previous: [] })(code);
  const [row] = await records.query<{ id: string }>(
    `insert into invitations (email, role, language, code_hash, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, now() + interval '7 days') returning id`,
    [email, role, language, hash, inviterId],
  );
  return { id: row?.id ?? '', email, role, code, inviterId };
};
