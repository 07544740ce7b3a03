import { conflict, notFound } from '@platform/shared/errors/app-error';
import type { PageQuery } from '../lists/lists.ts';

type TeamStatus = 'ONBOARDING' | 'ACTIVE' | 'SUSPENDED' | 'ARCHIVED';

export type Team = {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  name: string;
  slug: string;
  bio: string | null;
  status: TeamStatus;
  externalExperience: string | null;
  verifiedAt: Date | null;
};

export type TeamQuery = PageQuery & { status?: TeamStatus | undefined; search?: string | undefined };

type MemberState = {
  role: 'ADMINISTRATOR' | 'MEMBER';
  canSign: boolean;
  canSubmit: boolean;
  status: 'INVITED' | 'ACTIVE' | 'REMOVED';
};

/** The id of an employee's profile, and that of the account. */
export type Employee = { employeeId: string; userId: string };

export type MemberOfTeam = Employee & MemberState & { removedAt: Date | null };

/** `version` changes with the team or any of its members. */
export type TeamWithMembers = Team & { members: MemberOfTeam[]; version: string };

export type NewTeam = {
  name: string;
  administratorId: string;
  slug: string | null;
  bio: string | null;
  externalExperience: string | null;
};

/** Null clears a text. */
export type TeamChange = Partial<Pick<Team, 'name' | 'bio' | 'externalExperience'>>;

/** The state that another service gives a member. */
export type WantedState = MemberState & { status: 'INVITED' | 'ACTIVE' };

/** The old and the new value of each changed field. */
export const diffTeam = (stored: Team, change: TeamChange) =>
  Object.fromEntries(
    (['name', 'bio', 'externalExperience'] as const).flatMap((field) => {
      const [from, to] = [stored[field], change[field]];
      return to === undefined || to === from ? [] : [[field, { from, to }]];
    }),
  );

export const isMember = ({ status }: Pick<MemberOfTeam, 'status'>): boolean => status !== 'REMOVED';

export const isActiveAdministrator = ({ role, status }: WantedState): boolean =>
  role === 'ADMINISTRATOR' && status === 'ACTIVE';

export const hasState = (member: MemberState, { role, status, canSign, canSubmit }: WantedState): boolean =>
  member.role === role &&
  member.status === status &&
  member.canSign === canSign &&
  member.canSubmit === canSubmit;

const MAX_SLUG_LENGTH = 64;

/**
 * A slug of the letters and digits of a name: `Köln & Söhne` becomes `koln-sohne`. `suffix` distinguishes it
 * from that of another team with the same name.
 */
export const toSlug = (name: string, suffix = ''): string => {
  const words = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g);
  const end = suffix && `-${suffix}`;
  const slug = (words ?? ['team']).join('-').slice(0, MAX_SLUG_LENGTH - end.length);
  return slug.replace(/-$/, '') + end;
};

export const teamNotFound = () => notFound('TEAM_NOT_FOUND', 'Team not found');
export const employeeNotFound = () => notFound('EMPLOYEE_NOT_FOUND', 'The employee is unknown or deleted');
export const memberNotFound = () => notFound('MEMBER_NOT_FOUND', 'The employee is not a member of this team');
export const teamNotOnboarding = () => conflict('TEAM_NOT_ONBOARDING', 'The team is not in onboarding');
export const slugTaken = () => conflict('SLUG_TAKEN', 'Another team has this slug');
export const lastTeamAdministrator = () =>
  conflict('LAST_TEAM_ADMINISTRATOR', 'The last administrator cannot leave the team');
