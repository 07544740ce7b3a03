export type TabChannel<Message> = { post: (message: Message) => void; close: () => void };

/** Connects the tabs of this origin (in Node: the clients of this process) that open the same name. */
export const openTabChannel = <Message>(
  name: string,
  onMessage: (message: Message) => void,
): TabChannel<Message> => {
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

/** For a client that does not share its storage. */
export const nullTabChannel = { post: () => undefined, close: () => undefined };
