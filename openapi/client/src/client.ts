// biome-ignore-all lint/performance/noBarrelFile: the entry of the published package.
export { createCookieJar } from './cookie-jar.ts';
export { createMemoryStorage, type DeviceStorage } from './device.ts';
export { entityTagOf } from './entity-tags.ts';
export type { Kind, paths } from './kinds.ts';
export type {
  AccountExport,
  AdministratorUser,
  AdminUser,
  AdminUserDetail,
  AuditAction,
  AuditRecord,
  CustomerUser,
  EmployeeUser,
  FactorConfirmation,
  FactorProof,
  Identity,
  IdentityProvider,
  OwnSession,
  Passkey,
  Profile,
  Project,
  RecordedSignIn,
  SecondFactor,
  SecondFactorState,
  Session,
  SignInHistory,
  SignInMethods,
  Team,
  TeamDetail,
  TeamMember,
  User,
} from './named-types.ts';
export type { CallsOf } from './operation-types.ts';
export { createPlatformClient, type PlatformClient, type PlatformClientOptions } from './platform-client.ts';
export { type ErrorCode, isPlatformError, PlatformError } from './platform-error.ts';
export type { SessionEvents } from './session-events.ts';
export type { SessionSnapshot, SignOutReason } from './session-snapshot.ts';
