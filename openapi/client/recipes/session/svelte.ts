import type { Kind, PlatformClient, SessionSnapshot } from '@platform/client';
import { type Readable, readable } from 'svelte/store';

/** The session as a store: use it as `$session` in a component. It is the same in all tabs. */
export const createSession = <K extends Kind>(platform: PlatformClient<K>): Readable<SessionSnapshot<K>> =>
  readable(platform.getSnapshot(), (set) => {
    const show = () => set(platform.getSnapshot());
    show();
    return platform.subscribe(show);
  });
