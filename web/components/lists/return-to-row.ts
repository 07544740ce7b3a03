import { useEffect } from 'react';
import { focusRow } from '../keys/list-keys.ts';

const readAddress = (): string => location.pathname + location.search;

/** The address that Back or Forward has left for the current one. */
let left: string | undefined;
let current = readAddress();

const note = ({ type }: Event): void => {
  const address = readAddress();
  // An open dialog has an entry of the history with the address of its page.
  if (address === current) return;
  left = type === 'popstate' ? current : undefined;
  current = address;
};
// The router reports its own steps as events. The application imports this file before the router renders anything,
// so that a step is known when its screen is there.
for (const type of ['popstate', 'pushState', 'replaceState']) window.addEventListener(type, note);

/** Going back to a list leads to the row of what was left, unless the person has moved the focus meanwhile. */
const returnToRow = (): void => {
  const { activeElement, body } = document;
  if (activeElement === body || activeElement?.matches('h1')) focusRow((id) => left?.includes(id) === true);
  left = undefined;
};

/** @param isLoaded whether the rows of the current address are there */
export const useReturnToRow = (isLoaded: boolean): void => {
  const address = readAddress();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address.
  useEffect(() => {
    if (isLoaded && left !== undefined) returnToRow();
  }, [isLoaded, address]);
};
