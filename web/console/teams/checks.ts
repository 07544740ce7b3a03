import type { TeamDetail } from '@platform/client';
import { type Member, nameOfMember } from './members.ts';

export type Check = {
  name: 'sign' | 'blocked' | 'texts' | 'addresses';
  isMet: boolean;
  /** The names of the members who do not meet the check. */
  people: string[];
};

/** The facts to look at before a team is verified. None of them prevents it. */
export const listChecks = (
  { bio, externalExperience }: Pick<TeamDetail, 'bio' | 'externalExperience'>,
  members: readonly Member[],
): Check[] => {
  const cards = members.flatMap(({ card }) => card ?? []);
  const blocked = cards.filter(({ isBlocked }) => isBlocked).map(nameOfMember);
  const unverified = cards.filter(({ isEmailVerified }) => !isEmailVerified).map(nameOfMember);
  const canSign = members.some(
    ({ member }) => member.role === 'ADMINISTRATOR' && member.status === 'ACTIVE' && member.canSign,
  );
  return [
    { name: 'sign', isMet: canSign, people: [] },
    { name: 'blocked', isMet: blocked.length === 0, people: blocked },
    { name: 'texts', isMet: Boolean(bio?.trim() && externalExperience?.trim()), people: [] },
    { name: 'addresses', isMet: unverified.length === 0, people: unverified },
  ];
};
