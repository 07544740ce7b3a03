import { useEffect, useState } from 'react';

const DAY = 86_400_000;
/** The API accepts `since` up to 90 days ago; a day less keeps clear of the limit. */
const LONGEST = 89 * DAY;
const MINUTE = 60_000;

const KEY = 'platform.visit.';

const read = (storage: () => Storage, userId: string): string | undefined => {
  try {
    return storage().getItem(KEY + userId) ?? undefined;
  } catch {
    return undefined;
  }
};

const write = (storage: () => Storage, userId: string, time: string): void => {
  try {
    storage().setItem(KEY + userId, time);
  } catch {
    // Without storage, the next visit has nothing to compare with.
  }
};

const inTab = () => sessionStorage;
const inBrowser = () => localStorage;

/**
 * When this person last had the console open in this browser; later events count as new. It stays the same while
 * the tab is open; undefined at the first visit.
 */
export const readLastVisit = (userId: string, now = Date.now()): string | undefined => {
  const time = Date.parse(read(inTab, userId) ?? read(inBrowser, userId) ?? '');
  if (Number.isNaN(time)) return undefined;
  return new Date(Math.min(now, Math.max(time, now - LONGEST))).toISOString();
};

/** Remembers that the console is open, for the next visit. */
export const useVisit = (userId: string): void => {
  const [since] = useState(() => readLastVisit(userId));
  useEffect(() => {
    // Empty at the first visit, where nothing is new. Stored in the tab, so that a reload changes nothing.
    write(inTab, userId, since ?? '');
    const note = () => write(inBrowser, userId, new Date().toISOString());
    note();
    const timer = setInterval(note, MINUTE);
    return () => clearInterval(timer);
  }, [userId, since]);
};
