/** `post` returns whether other tabs can get messages. */
export type TabChannel<Message> = { post: (message: Message) => boolean; close: () => void };

export type TabListeners<Message> = {
  /** Another tab has posted a message. */
  onMessage: (message: Message) => void;
  /** Another tab has changed the stored text; undefined if the new text is unknown. */
  onStored: (text?: string | null) => void;
};

type StorageChange = { key?: string | null; newValue?: string | null };
type Listen = (name: string, listener: (event: StorageChange) => void) => void;
type PageEvents = { addEventListener?: Listen; removeEventListener?: Listen };

const openChannel = <Message>(name: string, onMessage: (message: Message) => void): TabChannel<Message> => {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  channel.onmessage = (event) => onMessage((event as { data: Message }).data);
  // Otherwise an open channel would keep a Node process running.
  (channel as { unref?: () => void }).unref?.();
  return {
    post: (message) => {
      if (isOpen) channel.postMessage(message);
      return isOpen;
    },
    close: () => {
      isOpen = false;
      channel.close();
    },
  };
};

/** Serves clients that do not share their storage, and React Native. */
const NO_CHANNEL = { post: () => false, close: () => undefined };

/**
 * The storage is a second source, because a closed tab posts nothing and a page in the back/forward cache
 * receives nothing.
 */
const watchStorage = (key: string, onStored: TabListeners<never>['onStored']): (() => void) => {
  const page = (globalThis as { window?: PageEvents }).window;
  const onStorage = (event: StorageChange) => {
    if (event.key === key) onStored(event.newValue);
  };
  const onShow = () => onStored();
  // React Native has a window without events.
  page?.addEventListener?.('storage', onStorage);
  page?.addEventListener?.('pageshow', onShow);
  return () => {
    page?.removeEventListener?.('storage', onStorage);
    page?.removeEventListener?.('pageshow', onShow);
  };
};

/** Connects the tabs of this origin (in Node: the clients of this process) that use the same name. */
export const connectTabs = <Message>(
  name: string,
  key: string,
  { onMessage, onStored }: TabListeners<Message>,
): TabChannel<Message> => {
  const { post, close }: TabChannel<Message> =
    typeof BroadcastChannel === 'undefined' ? NO_CHANNEL : openChannel(name, onMessage);
  const stopWatching = watchStorage(key, onStored);
  return {
    post,
    close: () => {
      close();
      stopWatching();
    },
  };
};
