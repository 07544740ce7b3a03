import { setTimeout } from 'node:timers/promises';
import { type EventPage, isPlatformError, type ServiceClient } from '@platform/client/service';
import type { ProjectStore } from './project-store.ts';

/** All that changes a project. The reader does not get the events of users and teams. */
const TYPES = [
  'project.created',
  'project.edited',
  'project.status-changed',
  'project.deleted',
  'project.restored',
] as const;

/** Lists all projects, in pages. Events that follow tell what has changed meanwhile. */
const readEverything = async (platform: ServiceClient, store: ProjectStore): Promise<void> => {
  store.beginListing();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await platform.listProjects({ cursor, limit: 1_000 });
    store.addListed(page.data);
    cursor = page.nextCursor;
  }
  store.finishListing();
};

/** An event tells that a project has changed, so read what it is now. */
const handlePage = async (
  platform: ServiceClient,
  store: ProjectStore,
  { data: events, next }: EventPage,
): Promise<void> => {
  const changed = new Set(events.map(({ subject }) => subject));
  store.saveChanged(await platform.findProjects([...changed]), next);
};

const isUnavailable = (error: unknown): boolean =>
  isPlatformError(error) && [0, 429, 502, 503, 504].includes(error.status);

/** Keeps the copy up to date. Ends with an error that a restart may solve, such as that of a secret that has changed. */
export const readEvents = async (platform: ServiceClient, store: ProjectStore): Promise<never> => {
  for (;;) {
    try {
      if (store.getPosition() === null) await readEverything(platform, store);
      for await (const page of platform.events(store.getPosition() ?? '', { types: TYPES }))
        await handlePage(platform, store, page);
    } catch (error) {
      if (isPlatformError(error, 'EVENTS_EXPIRED')) store.forgetPosition();
      else if (isUnavailable(error)) await setTimeout(1_000);
      else throw error;
    }
  }
};
