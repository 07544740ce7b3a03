import type { Project } from '@platform/client/service';
import { reject } from './errors.ts';

type Status = Project['status'];

/** The platform accepts any status after any other. This is what the owner may do here. */
const NEXT: Partial<Record<Status, Status[]>> = {
  DRAFT: ['PUBLISHED', 'CANCELLED'],
  PUBLISHED: ['DRAFT', 'TEAM_SELECTION', 'CANCELLED'],
  TEAM_SELECTION: ['PUBLISHED', 'CANCELLED'],
};

/** @throws 409 for a status that must not follow. The same status again is fine: a repeated request. */
export const requireTransition = (from: Status, to: Status): void => {
  if (from !== to && !NEXT[from]?.includes(to)) throw reject(409, 'STATUS_NOT_ALLOWED');
};
