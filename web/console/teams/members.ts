import type { TeamMember } from '@platform/client';

export type MemberCard = {
  employeeId: string;
  userId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  isBlocked: boolean;
  teams: readonly { id: string; name: string }[];
};

export type Member = { member: TeamMember; card: MemberCard | undefined };

export const nameOfMember = ({ firstName, lastName, email }: MemberCard): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

const ORDER = ['ADMINISTRATOR', 'MEMBER'];

/** Those who are or may become members, administrators first, each with the card of the person. */
export const joinMembers = (members: readonly TeamMember[], cards: readonly MemberCard[]): Member[] =>
  members
    .filter(({ status }) => status !== 'REMOVED')
    .map((member) => ({ member, card: cards.find(({ employeeId }) => employeeId === member.employeeId) }))
    .sort((one, other) => ORDER.indexOf(one.member.role) - ORDER.indexOf(other.member.role));
