import type { operations as AdminOperations } from '../../types/admin.ts';
import type { operations as AuthOperations } from '../../types/auth.ts';
import type { SessionOf, UserOf } from './kinds.ts';
import type { JsonBody, ResponseBody } from './operation-types.ts';

export type CustomerUser = UserOf<'customer'>;
export type EmployeeUser = UserOf<'employee'>;
export type AdministratorUser = UserOf<'administrator'>;
export type User = CustomerUser | EmployeeUser | AdministratorUser;
export type Session = SessionOf<'customer'>;
/** An entry of `listSessions()`. */
export type OwnSession = ResponseBody<AuthOperations['customerListSessions']>['data'][number];
export type Profile = NonNullable<ResponseBody<AuthOperations['customerMe']>['profile']>;

export type CodeSent = ResponseBody<AuthOperations['customerVerificationEmailCode']>;
export type PasswordReset = JsonBody<AuthOperations['customerResetPasswordEmailCode']>;
export type NewPassword = JsonBody<AuthOperations['customerResetPasswordMe']>;

/** An entry of the list; `AdminUserDetail` has the profiles and projects, too. */
export type AdminUser = ResponseBody<AdminOperations['listUsers']>['data'][number];
export type AdminUserDetail = ResponseBody<AdminOperations['getUser']>;
export type Project = ResponseBody<AdminOperations['getProject']>;
export type Team = ResponseBody<AdminOperations['listTeams']>['data'][number];
export type TeamDetail = ResponseBody<AdminOperations['getTeam']>;
export type TeamMember = TeamDetail['members'][number];
export type AuditRecord = ResponseBody<AdminOperations['listAuditLog']>['data'][number];
