import { employeeNotFound } from '../teams/team.ts';
import type { EmployeeCard } from './employee.ts';
import type { EmployeeStore } from './employees-store.ts';

type Dependencies = { stores: { employees: EmployeeStore } };

export const createEmployeeService = ({ stores: { employees } }: Dependencies) => ({
  /** Returns the employees in the order of the ids, without unknown and deleted ones. */
  listByIds: (ids: readonly string[]): Promise<EmployeeCard[]> => employees.listByIds(ids),

  /** @throws AppError 404 */
  getEmployee: async (id: string): Promise<EmployeeCard> => {
    const [employee] = await employees.listByIds([id]);
    if (!employee) throw employeeNotFound();
    return employee;
  },
});

export type EmployeeService = ReturnType<typeof createEmployeeService>;
