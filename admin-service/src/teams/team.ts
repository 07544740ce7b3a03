import { conflict, notFound } from '@platform/shared/errors/app-error';
import type { Page } from '../lists/pagination.ts';

export type TeamStatus = 'ONBOARDING' | 'ACTIVE' | 'SUSPENDED' | 'ARCHIVED';

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

export type TeamMember = {
  employeeId: string;
  role: 'ADMINISTRATOR' | 'MEMBER';
  canSign: boolean;
  canSubmit: boolean;
  status: 'INVITED' | 'ACTIVE' | 'REMOVED';
  removedAt: Date | null;
};

export type TeamDetail = Team & { members: TeamMember[] };

export type NewTeam = { name: string; slug: string; bio?: string; externalExperience?: string };

export type TeamQuery = {
  page?: number | undefined;
  perPage?: number | undefined;
  status?: TeamStatus | undefined;
};

/** A team waits in onboarding until an administrator verifies it. */
export const INITIAL_STATUS: TeamStatus = 'ONBOARDING';

/** The teams' own defaults: the interface has none for them. */
export const toTeamPage = ({ page = 1, perPage = 10 }: TeamQuery): Page => ({ page, perPage });

export const teamNotFound = () => notFound('TEAM_NOT_FOUND', 'There is no such team');
export const memberNotFound = () => notFound('TEAM_NOT_FOUND', 'The employee is not a member of such a team');
export const teamNotOnboarding = () => conflict('TEAM_NOT_ONBOARDING', 'The team is not in onboarding');

/** A team without an administrator could be led by nobody. @throws AppError 409 LAST_TEAM_ADMINISTRATOR */
export const requireAnotherAdministrator = (members: TeamMember[], leavingId: string): void => {
  const administrators = members.filter(
    ({ role, status }) => role === 'ADMINISTRATOR' && status === 'ACTIVE',
  );
  if (administrators.length === 1 && administrators[0]?.employeeId === leavingId)
    throw conflict('LAST_TEAM_ADMINISTRATOR', 'The last administrator cannot leave the team');
};
