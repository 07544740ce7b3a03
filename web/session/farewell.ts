import { inTab } from '../page/stored.ts';

const KEY = 'platform.farewell';

/** The reason that the sign-in page gives after a sign-out, which loads the page again. It stays in this tab. */
type Farewell = 'SIGNED_OUT' | 'ACCOUNT_DELETED';

/** Undefined if nobody has signed out. */
export const readFarewell = (): string | undefined => inTab.read(KEY) || undefined;

export const saveFarewell = (farewell: Farewell): void => inTab.save(KEY, farewell);

export const deleteFarewell = (): void => inTab.save(KEY, '');
