import { AppError } from '@platform/shared/errors/app-error';
import type { EventType } from '@platform/shared/platform/audit/events';

export type StoredEvent = {
  eventId: string;
  type: EventType;
  subject: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  /** Later than `occurredAt` if a backfill has added the event. */
  recordedAt: Date;
};

/** `next` is the cursor of the last event, or that of the request if there is none. */
export type EventPage = { events: StoredEvent[]; next: string };

export const eventsExpired = () =>
  new AppError(
    'EVENTS_EXPIRED',
    410,
    'The database does not know `after`; start again without it, and skip the events whose `id` you know',
  );
