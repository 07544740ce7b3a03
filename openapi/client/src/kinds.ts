import type { paths as AdminPaths } from '../../types/admin.ts';
import type { paths as AuthPaths, operations } from '../../types/auth.ts';
import type { ResponseBody } from './operation-types.ts';

export type Kind = 'customer' | 'employee' | 'administrator';

/** All paths of both documents. */
export type paths = AuthPaths & AdminPaths;

/** The paths that differ between the kinds. */
export const ROUTES = {
  customer: { auth: '/customers/auth', signUp: '/customers/auth/sign-up' },
  employee: { auth: '/employees/auth', signUp: '/employees/auth/sign-up' },
  administrator: { auth: '/auth/admin', signUp: '/auth/admin/register' },
} as const satisfies Record<Kind, { auth: string; signUp: string }>;

type AccountOperations = {
  customer: {
    signUp: operations['customerSignUp'];
    signIn: operations['customerSignIn'];
    me: operations['customerMe'];
  };
  employee: {
    signUp: operations['employeeSignUp'];
    signIn: operations['employeeSignIn'];
    me: operations['employeeMe'];
  };
  administrator: {
    signUp: operations['administratorRegister'];
    signIn: operations['administratorSignIn'];
    me: operations['administratorMe'];
  };
};
export type SignUp<K extends Kind> = AccountOperations[K]['signUp'];
export type SignIn<K extends Kind> = AccountOperations[K]['signIn'];
export type Me<K extends Kind> = ResponseBody<AccountOperations[K]['me']>;
export type UserOf<K extends Kind> = ResponseBody<SignIn<K>>['user'];
/** Has no fingerprint: a server that renders pages does not get one. */
export type SessionOf<K extends Kind> = Omit<ResponseBody<SignIn<K>>['session'], 'fingerprint'>;

type AuthPrefix<K extends Kind> = (typeof ROUTES)[K]['auth'];

/**
 * Excluded, because only the client's own calls may change the tokens. `session` is for servers, which hold
 * the cookie.
 */
type SessionPath<K extends Kind> =
  `${AuthPrefix<K>}/${`sign-in${'' | '/second-factor' | '/passkey' | '/email-code'}` | 'oidc/{provider}/sign-in' | 'sign-out' | 'refresh/token' | 'session' | 'account/delete'}`;

type AuthPath<K extends Kind> = Exclude<
  Extract<keyof AuthPaths, `${AuthPrefix<K>}/${string}` | '/auth/me'>,
  SessionPath<K>
>;
type BackOfficePath<K extends Kind> = K extends 'administrator'
  ? keyof AdminPaths
  : Extract<keyof AdminPaths, '/' | `/contact/${string}`>;

/** The paths that a user of this kind may call. */
export type PathsOf<K extends Kind> = Pick<AuthPaths, AuthPath<K>> & Pick<AdminPaths, BackOfficePath<K>>;
