import type { Kind } from '@platform/client';
import { inTab } from '../page/stored.ts';

/** Keeps a state of the sign-in in this tab, also for a reload, while the browser stores anything at all. */
export const createTabState = <State extends { kind: Kind; expiresAt: number }>(
  key: string,
  isState: (stored: State) => boolean,
) => ({
  save: (state: State): void => inTab.save(key, JSON.stringify(state)),
  forget: (): void => inTab.save(key, ''),
  /** Any script of the page's origin can change the stored text, so an invalid one is ignored. */
  read: (kind: Kind): State | undefined => {
    try {
      const stored = JSON.parse(inTab.read(key) || 'null') as State | null;
      return stored?.kind === kind && stored.expiresAt > Date.now() && isState(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  },
});
