import type { operations as AdminOperations } from '../../types/admin.ts';
import type { operations as AuthOperations, components } from '../../types/auth.ts';
import type { Kind, SessionOf, SignIn, UserOf } from './kinds.ts';
import type { JsonBody, Known, ResponseBody } from './operation-types.ts';

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

type Schemas = components['schemas'];
/** The response to a sign-in without the token, which the client keeps. */
export type SignedInAs<K extends Kind> = Omit<ResponseBody<SignIn<K>>, 'token'>;
export type SignInMethods = Schemas['SignInMethods'];
export type SignInWithCode = Schemas['EmailCodeSignIn'];
/** A page of `listSignIns()`; `nextCursor` is null at the end. */
export type SignInHistory = Schemas['SignInList'];
/** An entry of `listSignIns()`. */
export type RecordedSignIn = Schemas['RecordedSignIn'];
export type SecondFactor = Schemas['SecondFactor'];
export type SecondFactorState = Schemas['SecondFactorState'];
/** With recovery codes if the second step begins. */
export type SecondFactorChanged = Schemas['SecondFactorChanged'];
export type TotpSecret = Schemas['TotpSecret'];
export type Passkey = Schemas['Passkey'];
/** With recovery codes if the passkey is the first factor of a role that requires one. */
export type PasskeyCreated = Schemas['PasskeyCreated'];
export type PasskeyCreationOptions = Schemas['PasskeyCreationOptions'];
export type PasskeyAssertion = Schemas['PasskeyAssertion'];
/** A proof of one of the user's second factors. */
export type FactorProof =
  | { totpCode: string; recoveryCode?: never; passkey?: never }
  | { recoveryCode: string; totpCode?: never; passkey?: never }
  | { passkey: PasskeyAssertion; totpCode?: never; recoveryCode?: never };
type NoProof = { totpCode?: never; recoveryCode?: never; passkey?: never };
/** The mailed code is only for a sign-in whose `factors` contain `email-code`. */
export type SecondStep = { challenge: string } & (
  | (FactorProof & { emailCode?: never })
  | (NoProof & { emailCode: string })
);
/**
 * The current password. An account without one needs a second factor, or neither shortly after the sign-in.
 */
export type PasswordConfirmation = { currentPassword?: string } & (FactorProof | NoProof);
/** The current password, if the account has one, and one of the user's second factors. */
export type FactorConfirmation = PasswordConfirmation;
export type IdentityProvider = Schemas['Provider'];
export type Identity = Schemas['Identity'];
export type IdentityList = Schemas['IdentityList'];
export type EmailChange = Schemas['EmailChange'];
export type EmailChangePending = Schemas['EmailChangePending'];
export type EmailChangeRequested = Schemas['EmailChangeRequested'];
/** `exportAccount` returns all audit records, so its cursor is null. */
export type AccountExport = Schemas['AccountExport'];
export type AuditRecordsExport = Schemas['AuditRecordsExport'];
/** Null clears a field. */
export type ProfileChange = Schemas['ProfileChange'];

/** An entry of the list. `AdminUserDetail` also has the profiles and projects. */
export type AdminUser = ResponseBody<AdminOperations['listUsers']>['data'][number];
export type AdminUserDetail = ResponseBody<AdminOperations['getUser']>;
export type Project = ResponseBody<AdminOperations['getProject']>;
export type Team = ResponseBody<AdminOperations['listTeams']>['data'][number];
export type TeamDetail = ResponseBody<AdminOperations['getTeam']>;
export type TeamMember = TeamDetail['members'][number];
export type AuditRecord = ResponseBody<AdminOperations['listAuditLog']>['data'][number];
/** The actions of this release. A record of a later one may have another. */
export type AuditAction = Known<AuditRecord['action']>;
