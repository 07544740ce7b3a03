import { conflict, notFound } from '@platform/shared/errors/app-error';

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

export const teamNotFound = () => notFound('TEAM_NOT_FOUND', 'Team not found');
export const memberNotFound = () => notFound('TEAM_NOT_FOUND', 'The employee is not a member of this team');
export const teamNotOnboarding = () => conflict('TEAM_NOT_ONBOARDING', 'The team is not in onboarding');

/** Every team keeps at least one active administrator. @throws AppError 409 LAST_TEAM_ADMINISTRATOR */
export const requireRemainingAdministrator = (members: TeamMember[], leavingId: string): void => {
  const administrators = members.filter(
    ({ role, status }) => role === 'ADMINISTRATOR' && status === 'ACTIVE',
  );
  if (administrators.length === 1 && administrators[0]?.employeeId === leavingId)
    throw conflict('LAST_TEAM_ADMINISTRATOR', 'The last administrator cannot leave the team');
};
