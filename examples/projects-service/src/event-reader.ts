import { setTimeout } from 'node:timers/promises';
import { type EventPage, isPlatformError, type ServiceClient } from '@platform/client/service';
import type { ProjectStore } from './project-store.ts';

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
  const changed = events.filter(({ type }) => type.startsWith('project.')).map(({ subject }) => subject);
  store.saveChanged(await platform.findProjects([...new Set(changed)]), next);
};

const isUnavailable = (error: unknown): boolean =>
  isPlatformError(error) && [0, 429, 502, 503, 504].includes(error.status);

/** Keeps the copy up to date. Ends with an error that a restart may solve, such as that of a secret that has changed. */
export const readEvents = async (platform: ServiceClient, store: ProjectStore): Promise<never> => {
  for (;;) {
    try {
      if (store.getPosition() === null) await readEverything(platform, store);
      for await (const page of platform.events(store.getPosition() ?? ''))
        await handlePage(platform, store, page);
    } catch (error) {
      if (isPlatformError(error, 'EVENTS_EXPIRED')) store.forgetPosition();
      else if (isUnavailable(error)) await setTimeout(1_000);
      else throw error;
    }
  }
};
