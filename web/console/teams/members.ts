import type { TeamMember } from '@platform/client';
import { toFullName } from '../../words/full-name.ts';

export type MemberCard = {
  employeeId: string;
  userId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  isBlocked: boolean;
  isEmailVerified: boolean;
  teams: readonly { id: string; name: string }[];
};

export type Member = { member: TeamMember; card: MemberCard | undefined };

export const nameOfMember = (card: MemberCard): string => toFullName(card) ?? card.email;

const ORDER = ['ADMINISTRATOR', 'MEMBER'];

/** Returns active and invited members, administrators first, each with the person's card. */
export const joinMembers = (members: readonly TeamMember[], cards: readonly MemberCard[]): Member[] =>
  members
    .filter(({ status }) => status !== 'REMOVED')
    .map((member) => ({ member, card: cards.find(({ employeeId }) => employeeId === member.employeeId) }))
    .sort((one, other) => ORDER.indexOf(one.member.role) - ORDER.indexOf(other.member.role));
