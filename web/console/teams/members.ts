import type { TeamMember } from '@platform/client';
import { toFullName } from '../../words/full-name.ts';
import type { ResponseOf } from '../read.ts';

export type MemberCard = ResponseOf<'/administrator/employees'>['data'][number];

export type Member = { member: TeamMember; card: MemberCard | undefined };

export const nameOfMember = (card: MemberCard): string => toFullName(card) ?? card.email;

const ORDER = ['ADMINISTRATOR', 'MEMBER'];

/** Returns active and invited members, administrators first, each with the person's card. */
export const joinMembers = (members: readonly TeamMember[], cards: readonly MemberCard[]): Member[] =>
  members
    .filter(({ status }) => status !== 'REMOVED')
    .map((member) => ({ member, card: cards.find(({ employeeId }) => employeeId === member.employeeId) }))
    .sort((one, other) => ORDER.indexOf(one.member.role) - ORDER.indexOf(other.member.role));
