import { useState } from 'react';
import { usePlatform } from '../session/platform.ts';

/** What each way to sign in sends; nothing unless the person has chosen to stay signed in. */
export type Stay = { staySignedIn?: true };

const read = (key: string): boolean => {
  try {
    return localStorage.getItem(key) === 'true';
  } catch {
    return false;
  }
};

const keep = (key: string, isStaying: boolean): void => {
  try {
    localStorage.setItem(key, String(isStaying));
  } catch {
    // The choice lasts until the page is left.
  }
};

/** The last choice in this browser for the kind, off at first. It is not sent where it cannot be seen. */
export const useStaySignedIn = (isOffered: boolean) => {
  const key = `platform.${usePlatform().kind}.stay-signed-in`;
  const [isStaying, setStaying] = useState(() => read(key));
  const stay: Stay = isOffered && isStaying ? { staySignedIn: true } : {};
  const choose = (isChosen: boolean): void => {
    keep(key, isChosen);
    setStaying(isChosen);
  };
  return { isOffered, stay, choose };
};

export type StayChoice = ReturnType<typeof useStaySignedIn>;
