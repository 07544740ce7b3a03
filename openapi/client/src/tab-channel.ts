export type TabChannel<Message> = { post: (message: Message) => void; close: () => void };

export type TabListeners<Message> = {
  /** Another tab has posted a message. */
  onMessage: (message: Message) => void;
  /** Another tab has changed the stored text; undefined if it may have changed unnoticed. */
  onStored: (text?: string | null) => void;
};

type StorageChange = { key?: string | null; newValue?: string | null };
type EventTarget = {
  addEventListener?: (name: string, listener: (event: StorageChange) => void) => void;
  removeEventListener?: (name: string, listener: (event: StorageChange) => void) => void;
};

const openChannel = <Message>(name: string, onMessage: (message: Message) => void): TabChannel<Message> => {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  channel.onmessage = (event) => onMessage((event as { data: Message }).data);
  // In Node an open channel would keep the process running.
  (channel as { unref?: () => void }).unref?.();
  return {
    post: (message) => {
      if (isOpen) channel.postMessage(message);
    },
    close: () => {
      isOpen = false;
      channel.close();
    },
  };
};

/** For a client that does not share its storage, and for React Native. */
const NO_CHANNEL = { post: () => undefined, close: () => undefined };

/** The storage is a second source: a closed tab posts nothing, and a page in the back/forward cache receives nothing. */
const watchStorage = (key: string, onStored: TabListeners<never>['onStored']): (() => void) => {
  const { addEventListener, removeEventListener } = globalThis as EventTarget;
  if (!(globalThis as { window?: object }).window || !addEventListener || !removeEventListener)
    return () => undefined;
  const onStorage = (event: StorageChange) => {
    if (event.key === key) onStored(event.newValue);
  };
  const onShow = () => onStored();
  addEventListener('storage', onStorage);
  addEventListener('pageshow', onShow);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pageshow', onShow);
  };
};

/** Connects the tabs of this origin (in Node: the clients of this process) that open the same name. */
export const connectTabs = <Message>(
  name: string,
  key: string,
  { onMessage, onStored }: TabListeners<Message>,
): TabChannel<Message> => {
  const channel: TabChannel<Message> =
    typeof BroadcastChannel === 'undefined' ? NO_CHANNEL : openChannel(name, onMessage);
  const stopWatching = watchStorage(key, onStored);
  return {
    post: channel.post,
    close: () => {
      channel.close();
      stopWatching();
    },
  };
};
