import type { PlatformClient } from '@platform/client';
import { type Readable, readable } from 'svelte/store';

type Platform = PlatformClient<'customer'>;
type Session = ReturnType<Platform['getSnapshot']>;

/** The session as a store: use it as `$session` in a component. It is the same in all tabs. */
export const createSession = (platform: Platform): Readable<Session> =>
  readable(platform.getSnapshot(), (set) => {
    const show = () => set(platform.getSnapshot());
    show();
    return platform.subscribe(show);
  });
