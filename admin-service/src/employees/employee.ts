import { notFound } from '@platform/shared/errors/app-error';
import type { TeamMember } from '../teams/team.ts';

/** The person behind a member of teams. */
export type EmployeeCard = {
  employeeId: string;
  userId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  isBlocked: boolean;
  teams: (Pick<TeamMember, 'role' | 'status'> & { id: string; name: string })[];
};

export const employeeNotFound = () => notFound('EMPLOYEE_NOT_FOUND', 'Employee not found');
