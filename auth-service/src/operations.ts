import type { operationSecurity, operations } from '@platform/openapi/types/auth';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { Registrar } from './accounts/account.ts';
import type { Kind } from './kinds.ts';
import type { AuthCaller, PresentedToken } from './sessions/session.ts';

type Callers = {
  customerAccess: AuthCaller;
  employeeAccess: AuthCaller;
  universalAccess: AuthCaller;
  customerRefresh: PresentedToken;
  employeeRefresh: PresentedToken;
  administratorAccess: AuthCaller;
  administratorRefresh: PresentedToken;
  administratorRegistration: Registrar;
};

export type AuthOperations = OperationHandlers<operations, operationSecurity, Callers>;

type OperationsOf<K extends Kind> = {
  [Id in keyof AuthOperations as Id extends `${K}${infer Name}`
    ? Uncapitalize<Name>
    : never]: AuthOperations[Id];
};

/** By the name without the kind: `signIn` stands for customerSignIn, employeeSignIn, … */
export type SignUpOperations = Pick<OperationsOf<'customer'>, 'signUp'>;
/** What every kind can do. */
export type KindOperations = Omit<OperationsOf<'customer'>, 'signUp'>;

type Named<K extends Kind, Handlers> = {
  [Name in keyof Handlers & string as `${K}${Capitalize<Name>}`]: Handlers[Name];
};

/** `{ signIn }` of the kind 'customer' becomes `{ customerSignIn }`. */
export const nameFor = <K extends Kind, Handlers extends object>(
  kind: K,
  handlers: Handlers,
): Named<K, Handlers> =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      `${kind}${name[0]?.toUpperCase()}${name.slice(1)}`,
      handler,
    ]),
  ) as Named<K, Handlers>;
