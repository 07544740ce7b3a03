import { useState } from 'react';
import { inBrowser } from '../page/stored.ts';
import { usePlatform } from '../session/platform.ts';

/** The field that each way to sign in sends; empty unless the person has chosen to stay signed in. */
export type Stay = { staySignedIn?: true };

/** The last choice in this browser for the kind, off at first. It is not sent where it cannot be seen. */
export const useStaySignedIn = (isOffered: boolean) => {
  const key = `platform.${usePlatform().kind}.stay-signed-in`;
  const [isStaying, setStaying] = useState(() => inBrowser.read(key) === 'true');
  const stay: Stay = isOffered && isStaying ? { staySignedIn: true } : {};
  const choose = (isChosen: boolean): void => {
    inBrowser.save(key, String(isChosen));
    setStaying(isChosen);
  };
  return { isOffered, stay, choose };
};

export type StayChoice = ReturnType<typeof useStaySignedIn>;
