import { AppError } from '@platform/shared/errors/app-error';
import type { EventType } from '@platform/shared/platform/audit/events';

export type StoredEvent = {
  eventId: string;
  type: EventType;
  subject: string;
  data: Record<string, unknown>;
  /** `user:<id>`, `service:<name>` or `platform`. */
  causedBy: string;
  /** The time of the change, in ISO 8601. */
  occurredAt: string;
};

export type EventPage = {
  events: StoredEvent[];
  /** The cursor of the last event that the query has looked at, or that of the request if there is none. */
  next: string;
  /** When that event was recorded; undefined if no numbered event follows. */
  readUntil: Date | undefined;
  /** Whether there are committed events without a position. */
  hasUnnumbered: boolean;
};

export const eventsExpired = () =>
  new AppError(
    'EVENTS_EXPIRED',
    410,
    'The database does not know `after`; start again without it, and skip the events whose `id` you know',
  );
