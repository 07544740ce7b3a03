import type { InternalOperations } from '../authentication/operations.ts';
import type { StoredEvent } from './event.ts';
import type { EventService } from './events-service.ts';

const toCloudEvent =
  (source: string) =>
  ({ eventId, type, subject, data, causedBy, occurredAt }: StoredEvent) => ({
    specversion: '1.0' as const,
    id: eventId,
    source,
    type,
    time: occurredAt,
    subject,
    causedby: causedBy,
    data,
  });

/** Operations for other services. `source` is that of the events, as CloudEvents defines it. */
export const eventRoutes = (
  events: EventService,
  source: string,
): Pick<InternalOperations, 'listEvents'> => ({
  listEvents: async ({ query: { after, limit = 100, wait = 0, type: types }, caller, signal }) => {
    const reading = { after, limit, types, waitSeconds: wait };
    const { events: found, next } = await events.read({ ...reading, caller, signal });
    return { status: 200, body: { data: found.map(toCloudEvent(source)), next } };
  },
});
