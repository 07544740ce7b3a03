import type { AUDIT_MESSAGE, AuditAction } from '@platform/shared/audit/audit-log';
import { ConfigError } from '@platform/shared/config/env';

/** Only the type is imported: the image of the migrations has no packages for the audit log's tracing. */
const MESSAGE: typeof AUDIT_MESSAGE = 'audit';

/** The changes that a restored database must repeat: without them, somebody regains access that was withdrawn. */
export const REPEATED_ACTIONS = [
  'USER_BLOCKED',
  'USER_UNBLOCKED',
  'PASSWORD_CHANGED',
  'PASSWORD_RESET',
  'ROLE_REMOVED',
  'TOTP_ENABLED',
  'TOTP_DISABLED',
  'PASSKEY_ADDED',
  'PASSKEY_REMOVED',
  'RECOVERY_CODES_REPLACED',
  'RECOVERY_CODE_USED',
  'SECOND_FACTOR_RESET',
  'IDENTITY_UNLINKED',
  'EMAIL_CHANGED',
  'ACCOUNT_DELETED',
] as const satisfies readonly AuditAction[];

export type RepeatedAction = (typeof REPEATED_ACTIONS)[number];

/** A change that was recorded outside of the restored database. */
export type RecordedChange = {
  time: string;
  action: RepeatedAction;
  userId: string;
  actorId: string | null;
  requestId: string;
  address: string;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isRepeated = (action: unknown): action is RepeatedAction =>
  REPEATED_ACTIONS.some((name) => name === action);

const parseObject = (line: string): Record<string, unknown> | undefined => {
  // Log collectors put a prefix before the JSON, for example `auth-service-1  | `.
  const start = line.indexOf('{');
  if (start < 0) return undefined;
  try {
    return JSON.parse(line.slice(start)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

const toChange = (fields: Record<string, unknown>, action: RepeatedAction): RecordedChange | undefined => {
  const { time, targetId, actorId, requestId, address } = fields;
  const instant = new Date(String(time));
  const isComplete = !Number.isNaN(instant.getTime()) && typeof requestId === 'string';
  if (!(isComplete && UUID.test(String(targetId)))) return undefined;
  return {
    time: instant.toISOString(),
    action,
    userId: String(targetId),
    actorId: UUID.test(String(actorId)) ? String(actorId) : null,
    requestId,
    address: typeof address === 'string' ? address : 'unknown',
  };
};

/**
 * Reads the changes from log lines of auth-service and admin-service, or from exported audit records in the same format.
 * All other lines are ignored.
 * @returns the changes, oldest first
 * @throws ConfigError when a line is incomplete, or there is no audit record at all: then it is the wrong file
 */
export const readRecordedChanges = (text: string): RecordedChange[] => {
  const lines = text.split('\n').map((line, index) => ({ fields: parseObject(line), number: index + 1 }));
  const records = lines.filter(({ fields }) => fields?.['msg'] === MESSAGE);
  if (records.length === 0)
    throw new ConfigError(
      'The input contains no audit record: pass the log of auth-service and admin-service (AUDIT_LOG on), or --without-changes',
    );
  const changes = records.flatMap(({ fields = {}, number }) => {
    const { action } = fields;
    if (!isRepeated(action)) return [];
    const change = toChange(fields, action);
    if (!change)
      throw new ConfigError(`Line ${number}: ${action} without a valid time, targetId or requestId`);
    return [change];
  });
  return changes.sort((a, b) => a.time.localeCompare(b.time));
};
