import { useEffect } from 'react';
import { pageState } from '../../page/page-state.ts';
import { focusRow } from '../keys/list-keys.ts';

const readAddress = (): string => location.pathname + location.search;

const note = ({ type }: Event): void => {
  const address = readAddress();
  // An open dialog has an entry of the history with the address of its page.
  const { address: previous } = pageState.get();
  if (address !== previous)
    pageState.set({ address, leftAddress: type === 'popstate' ? previous : undefined });
};
// The router reports its own steps as events. The application imports this file before the router renders anything,
// so that a step is known when its screen is there.
for (const type of ['popstate', 'pushState', 'replaceState']) window.addEventListener(type, note);

/**
 * Focuses the row of the page that was left, when somebody goes back to its list, unless the person has moved the
 * focus meanwhile.
 */
const returnToRow = (): void => {
  const { activeElement, body } = document;
  const { leftAddress } = pageState.get();
  if (activeElement === body || activeElement?.matches('h1'))
    focusRow((id) => leftAddress?.includes(id) === true);
  pageState.set({ leftAddress: undefined });
};

/** @param isLoaded whether the rows of the current address are there */
export const useReturnToRow = (isLoaded: boolean): void => {
  const address = readAddress();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address.
  useEffect(() => {
    if (isLoaded && pageState.get().leftAddress !== undefined) returnToRow();
  }, [isLoaded, address]);
};
