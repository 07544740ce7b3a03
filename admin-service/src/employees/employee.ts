import type { MemberOfTeam } from '../teams/team.ts';

/** The person behind a member of teams. */
export type EmployeeCard = {
  employeeId: string;
  userId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  isBlocked: boolean;
  isEmailVerified: boolean;
  teams: (Pick<MemberOfTeam, 'role' | 'status'> & { id: string; name: string })[];
};
