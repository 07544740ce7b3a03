import { numberEvents } from '@platform/shared/platform/audit/number-events';
import type { Base } from '../infrastructure.ts';
import { eventRoutes } from './events-routes.ts';
import { createEventService } from './events-service.ts';
import { createEventStore } from './events-store.ts';

export const createEventsFeature = (base: Base<unknown, { eventSource: string }>) => {
  const { database, config } = base;
  const events = createEventService({
    ...base,
    // Must not use a replica, which may lack positions that a reader knows.
    events: createEventStore(database),
    numberEvents: () => numberEvents(database),
  });
  return { internalRoutes: eventRoutes(events, config.eventSource) };
};
