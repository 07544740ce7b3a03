import type { Operation } from '@platform/shared/testing/openapi-operations';

/** The last three have an invalid session of a caller whom the route allows. */
export const CALLERS = [
  ...(['none', 'garbage', 'customer', 'employee', 'ADMIN', 'OPERATOR', 'ARBITER'] as const),
  ...(['blocked', 'signed-out', 'expired'] as const),
] as const;
export type CallerName = (typeof CALLERS)[number];

const PLATFORM_ROLES: readonly CallerName[] = ['ADMIN', 'OPERATOR', 'ARBITER'];

/** The callers whom a security scheme allows. A scheme of the back office names the platform role. */
const SCHEMES: Record<string, readonly CallerName[]> = {
  customerAccess: ['customer'],
  customerRefresh: ['customer'],
  employeeAccess: ['employee'],
  employeeRefresh: ['employee'],
  administratorAccess: PLATFORM_ROLES,
  administratorRefresh: PLATFORM_ROLES,
  universalAccess: ['customer', 'employee', ...PLATFORM_ROLES],
  // The platform has an ADMIN, so registration is not open to everybody.
  administratorRegistration: ['ADMIN'],
};

/**
 * The status and the error code of operations that do not return the success of their contract, because only
 * a mail or a provider contains what a valid request needs. Otherwise the contract knows the result.
 */
const OTHER_RESULTS: Record<string, readonly [status: number, code: string]> = {
  verificationEmailCodeCheck: [400, 'CODE_INVALID'],
  resetPasswordEmailCode: [400, 'CODE_INVALID'],
  signInEmailCode: [400, 'CODE_INVALID'],
  // The setting that asks for it is off.
  signInSecondFactorEmailCode: [409, 'FACTOR_NOT_OFFERED'],
  emailChangeCheck: [400, 'CODE_INVALID'],
  endSession: [404, 'SESSION_NOT_FOUND'],
  // The stack of the tests checks no bots.
  botCheckChallenge: [404, 'ROUTE_NOT_FOUND'],
  invitationCheck: [400, 'CODE_INVALID'],
  invitationAccept: [400, 'CODE_INVALID'],
  administratorAccountDelete: [409, 'PLATFORM_ROLE_TAKEN'],
  oidcBackchannelLogout: [400, 'VALIDATION_FAILED'],
};

/** An operation with the results for all callers. */
export type Row = Operation & {
  /** The method and the path, such as `GET /users/{id}`. */
  title: string;
  path: string;
  /** The sender of the request. */
  callers: readonly CallerName[];
  /**
   * The result for the callers whom the contract allows. A workspace returns 403 to other platform roles, and
   * all other callers get 401.
   */
  expected: Record<CallerName, number>;
  /** The error code for the allowed callers, if they get an error. */
  code: string | undefined;
};

const getAudience = ({ scheme, role }: Operation): readonly CallerName[] => {
  if (scheme === undefined) return CALLERS;
  const audience = role === undefined ? SCHEMES[scheme] : [role as CallerName];
  if (!audience) throw new Error(`Nobody is known for the security scheme ${scheme}`);
  return audience;
};

const toRow = (operation: Operation, callers: readonly CallerName[]): Row => {
  const { id, handler, method, template, responses } = operation;
  // The last one is that of a new request, where a repeated one has another.
  const success = Object.keys(responses).findLast((status) => status.startsWith('2'));
  const [status, code] = OTHER_RESULTS[id] ?? OTHER_RESULTS[handler] ?? [Number(success), undefined];
  const audience = getAudience(operation);
  const isForOneRole = audience.length === 1 && audience.every((caller) => PLATFORM_ROLES.includes(caller));
  const getStatus = (caller: CallerName): number => {
    if (audience.includes(caller)) return status;
    return isForOneRole && PLATFORM_ROLES.includes(caller) ? 403 : 401;
  };
  const expected = Object.fromEntries(CALLERS.map((caller) => [caller, getStatus(caller)]));
  const path = template.replace('/api/v1', '') || '/';
  return {
    ...operation,
    title: `${method} ${path}`,
    path,
    callers,
    expected: expected as Row['expected'],
    code,
  };
};

/** An operation without a security scheme ignores tokens. */
const PUBLIC_CALLERS: readonly CallerName[] = ['none', 'garbage'];
/** The verification of a scheme rejects them, for any operation alike. */
const INVALID_SESSIONS: readonly CallerName[] = ['signed-out', 'expired'];

/** The rows of all operations. Sessions that have ended call only the first operation of each scheme. */
export const toRows = (operations: readonly Operation[]): Row[] => {
  const seen = new Set<string>();
  return operations.map((operation) => {
    const { scheme } = operation;
    if (scheme === undefined) return toRow(operation, PUBLIC_CALLERS);
    const isFirst = !seen.has(scheme);
    seen.add(scheme);
    return toRow(operation, isFirst ? CALLERS : CALLERS.filter((name) => !INVALID_SESSIONS.includes(name)));
  });
};
