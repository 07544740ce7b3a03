import { inBrowser } from '../page/stored.ts';

/** Which accounts have declined the offer in this browser, and when. */
type Declined = Record<string, { times: number; at: number }>;

const KEY = 'platform.passkey-offer';
const PAUSE_MILLISECONDS = 30 * 24 * 3_600_000;
/** After the third time, nobody is asked again. */
const TIMES = 3;

/** Any script of the page's origin can change the stored text, so an invalid one is ignored. */
const read = (): Declined => {
  try {
    const stored: unknown = JSON.parse(inBrowser.read(KEY) || '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Declined) : {};
  } catch {
    return {};
  }
};

/** Whether a passkey may be offered to the account. */
export const mayOfferPasskey = (userId: string): boolean => {
  const declined = read()[userId];
  return !declined || (declined.times < TIMES && Date.now() - declined.at > PAUSE_MILLISECONDS);
};

export const declinePasskey = (userId: string): void => {
  const all = read();
  const times = (all[userId]?.times ?? 0) + 1;
  inBrowser.save(KEY, JSON.stringify({ ...all, [userId]: { times, at: Date.now() } }));
};
