import type { operationSecurity, operations } from '@platform/openapi/types/auth';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { RegistrationCaller } from './accounts/account.ts';
import type { Kind } from './kinds.ts';
import type { AuthCaller, RefreshRequest } from './sessions/session.ts';

type Callers = {
  customerAccess: AuthCaller;
  employeeAccess: AuthCaller;
  administratorAccess: AuthCaller;
  universalAccess: AuthCaller;
  customerRefresh: RefreshRequest;
  employeeRefresh: RefreshRequest;
  administratorRefresh: RefreshRequest;
  administratorRegistration: RegistrationCaller;
};

export type AuthOperations = OperationHandlers<operations, operationSecurity, Callers>;

type UnprefixedOperations<K extends Kind> = {
  [Id in keyof AuthOperations as Id extends `${K}${infer Name}`
    ? Uncapitalize<Name>
    : never]: AuthOperations[Id];
};

/** Operations of each profile kind, named without the kind: `signUp` is customerSignUp and employeeSignUp. */
export type SignUpOperations = Pick<UnprefixedOperations<'customer'>, 'signUp'>;
/** Operations of each kind, named without the kind: `signIn` is customerSignIn, employeeSignIn, … */
export type KindOperations = Omit<UnprefixedOperations<'customer'>, 'signUp'>;

type Prefixed<K extends Kind, Handlers> = {
  [Name in keyof Handlers & string as `${K}${Capitalize<Name>}`]: Handlers[Name];
};

/** With the prefix 'customer', `{ signIn }` becomes `{ customerSignIn }`. */
export const prefixOperations = <K extends Kind, Handlers extends object>(
  prefix: K,
  handlers: Handlers,
): Prefixed<K, Handlers> =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      `${prefix}${name[0]?.toUpperCase()}${name.slice(1)}`,
      handler,
    ]),
  ) as Prefixed<K, Handlers>;
