import type { InternalOperations } from '../authentication/operations.ts';
import type { StoredEvent } from './event.ts';
import type { EventService } from './events-service.ts';

const toCloudEvent =
  (source: string) =>
  ({ eventId, type, subject, data, occurredAt }: StoredEvent) => ({
    specversion: '1.0' as const,
    id: eventId,
    source,
    type,
    time: occurredAt,
    subject,
    data,
  });

/** Operations for other services. `source` is that of the events, as CloudEvents defines it. */
export const eventRoutes = (
  events: EventService,
  source: string,
): Pick<InternalOperations, 'listEvents'> => ({
  listEvents: async ({ query: { after, limit = 100, wait = 0 }, caller, signal }) => {
    const { events: found, next } = await events.read({ caller, after, limit, waitSeconds: wait, signal });
    return { status: 200, body: { data: found.map(toCloudEvent(source)), next } };
  },
});
