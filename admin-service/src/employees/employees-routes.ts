import type { AdminOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { employeeNotFound } from '../teams/team.ts';
import type { EmployeeStore } from './employees-store.ts';

export const employeeRoutes = (
  employees: EmployeeStore,
): Pick<AdminOperations, 'listEmployees' | 'getEmployee'> => ({
  listEmployees: async ({ query }) => ({
    status: 200,
    body: { data: await employees.listByIds(toDistinctIds(query.id)) },
  }),

  getEmployee: async ({ path }) => {
    const [employee] = await employees.listByIds([path.employeeId]);
    if (!employee) throw employeeNotFound();
    return { status: 200, body: employee };
  },
});
