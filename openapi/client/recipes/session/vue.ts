import type { PlatformClient } from '@platform/client';
import { onScopeDispose, type ShallowRef, shallowReadonly, shallowRef } from 'vue';

type Platform = PlatformClient<'customer'>;
type Session = ReturnType<Platform['getSnapshot']>;

/** The session as a ref, for a component or a store. It is the same in all tabs. */
export const useSession = (platform: Platform): Readonly<ShallowRef<Session>> => {
  const session = shallowRef(platform.getSnapshot());
  onScopeDispose(
    platform.subscribe(() => {
      session.value = platform.getSnapshot();
    }),
  );
  return shallowReadonly(session);
};
