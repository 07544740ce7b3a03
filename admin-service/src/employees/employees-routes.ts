import type { AdminOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import type { EmployeeService } from './employees-service.ts';

export const employeeRoutes = (
  employees: EmployeeService,
): Pick<AdminOperations, 'listEmployees' | 'getEmployee'> => ({
  listEmployees: async ({ query }) => ({
    status: 200,
    body: { data: await employees.listByIds(toDistinctIds(query.id)) },
  }),

  getEmployee: async ({ path }) => ({ status: 200, body: await employees.getEmployee(path.employeeId) }),
});
