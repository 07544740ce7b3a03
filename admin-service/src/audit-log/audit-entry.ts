export type AuditEntry = {
  id: string;
  action: string;
  actorId: string | null;
  targetType: string;
  targetId: string;
  requestId: string;
  address: string;
  details: Record<string, unknown>;
  createdAt: Date;
};

/** `from` is included, `until` is not. */
export type AuditFilter = { actorId?: string; action?: string; targetId?: string; from?: Date; until?: Date };
