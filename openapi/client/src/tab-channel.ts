export type TabChannel<Message> = { post: (message: Message) => void; close: () => void };

/** Reaches the other tabs of this origin (in Node: the other clients of this process) that opened the same name. */
export const openTabChannel = <Message>(
  name: string,
  onMessage: (message: Message) => void,
): TabChannel<Message> => {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  channel.onmessage = (event) => onMessage((event as { data: Message }).data);
  // In Node an open channel would keep the process from ending.
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

/** For a client that shares its storage with nobody. */
export const noTabChannel = { post: () => undefined, close: () => undefined };
