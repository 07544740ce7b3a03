import type { AuditAction } from '@platform/client';
import { ENGLISH_ACTIONS } from '../records/actions-en.ts';

type ActionGroup = keyof typeof ENGLISH_ACTIONS;

export const ACTION_GROUPS = Object.fromEntries(
  Object.entries(ENGLISH_ACTIONS).map(([group, actions]) => [group, Object.keys(actions)]),
) as Record<ActionGroup, AuditAction[]>;

/** The API accepts this many actions in one query. */
export const MOST_ACTIONS = 50;

/** Splits the names in an address, which a dot separates because it needs no escape there. */
export const toNames = (names: string | undefined): string[] => names?.split('.').filter(Boolean) ?? [];

/** The actions of the named groups and actions; undefined for all. The API rejects a name that was typed wrong. */
export const actionsOf = (names: string | undefined): AuditAction[] | undefined => {
  const actions = toNames(names).flatMap((name) =>
    Object.hasOwn(ACTION_GROUPS, name) ? ACTION_GROUPS[name as ActionGroup] : [name as AuditAction],
  );
  return actions.length > 0 ? [...new Set(actions)] : undefined;
};
