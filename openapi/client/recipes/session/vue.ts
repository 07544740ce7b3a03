import type { Kind, PlatformClient, SessionSnapshot } from '@platform/client';
import { onScopeDispose, type ShallowRef, shallowReadonly, shallowRef } from 'vue';

/** The session as a ref, for a component or a store. It is the same in all tabs. */
export const useSession = <K extends Kind>(
  platform: PlatformClient<K>,
): Readonly<ShallowRef<SessionSnapshot<K>>> => {
  const session = shallowRef(platform.getSnapshot());
  onScopeDispose(
    platform.subscribe(() => {
      session.value = platform.getSnapshot();
    }),
  );
  return shallowReadonly(session);
};
