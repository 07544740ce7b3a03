import type { operationSecurity, operations } from '@platform/openapi/types/auth';
import type * as internal from '@platform/openapi/types/internal';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { ServiceCaller } from '@platform/shared/http/service-credentials';
import type { RegistrationCaller } from './accounts/account.ts';
import type { Kind } from './kinds.ts';
import type { AuthCaller, RefreshRequest } from './sessions/session.ts';

type Callers = { [Scheme in `${Kind | 'universal'}Access`]: AuthCaller } & {
  [Scheme in `${Kind}Refresh${'' | 'Bearer'}`]: RefreshRequest;
} & {
  administratorRegistration: RegistrationCaller;
  anonymous: RegistrationCaller;
};

export type AuthOperations = OperationHandlers<operations, operationSecurity, Callers>;

/** The operations for other services. */
export type InternalOperations = Pick<
  OperationHandlers<internal.operations, internal.operationSecurity, { service: ServiceCaller }>,
  'introspectToken'
>;

type NameOf<K extends Kind, Id = keyof operations> = Id extends `${K}${infer Name}` ? Name : never;
/** The operations that every kind has, without the kind: `SignIn`. */
type SharedName = NameOf<'customer'> & NameOf<'employee'> & NameOf<'administrator'>;
type OfEveryKind<Properties> = {
  [Name in SharedName as Uncapitalize<Name>]: Properties[`${Kind}${Name}` & keyof Properties];
};

/**
 * The operations of each kind, named without the kind: `signIn` is customerSignIn, employeeSignIn, … Their
 * bodies may differ.
 */
export type KindOperations = OperationHandlers<
  OfEveryKind<operations>,
  OfEveryKind<operationSecurity>,
  Callers
>;
export type KindRequest<Name extends keyof KindOperations> = Parameters<KindOperations[Name]>[0];
/** The request of customerSignUp and employeeSignUp. */
export type SignUpRequest = Parameters<AuthOperations['customerSignUp' | 'employeeSignUp']>[0];
/** The request of customerProfileChange and employeeProfileChange. */
export type ProfileChangeRequest = Parameters<
  AuthOperations['customerProfileChange' | 'employeeProfileChange']
>[0];

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
