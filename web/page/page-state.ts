import { createStore } from './store.ts';

/** The code of a mail's link that has opened the page. */
export type LinkedCode = { purpose: string; email: string; digits: string };

type PageState = {
  /** A screen was left. A page that signs in is a screen, too. */
  hasLeftScreen: boolean;
  /** The id of the latest request, if it failed at the platform. */
  failedRequest: string | undefined;
  /** The browser solves the platform's challenge for bots. */
  isCheckingBot: boolean;
  /** Writes whose response was lost, while the server is asked about them. */
  unanswered: number;
  /** The latest write was found to be carried out after its response was lost. */
  wasLate: boolean;
  /** Forms in which something was typed or chosen, and not sent since. */
  unsavedForms: number;
  /** The typed text is from before the session ended, and nothing was sent since. */
  hasOutlived: boolean;
  /** When `g` was pressed, the first key of two: milliseconds since 1970. */
  prefixedAt: number;
  /** Path and query of the current screen. */
  address: string;
  /** The address that Back or Forward has left for the current one. */
  leftAddress: string | undefined;
  /** The address to which a provider has returned, until its code is used. */
  callbackUrl: string | undefined;
  /** The code of a mail's link that has opened the page, until it is used. */
  linkedCode: LinkedCode | undefined;
  /** The password that has just signed in, for the pages after the sign-in. */
  typedPassword: { email: string; password: string } | undefined;
};

/**
 * The one store of the pages, in memory: what code that is no component writes (the clients, listeners on `window`),
 * or what components in different parts of the page share. A load of the page empties it.
 */
export const pageState = createStore<PageState>({
  hasLeftScreen: false,
  failedRequest: undefined,
  isCheckingBot: false,
  unanswered: 0,
  wasLate: false,
  unsavedForms: 0,
  hasOutlived: false,
  prefixedAt: 0,
  address: window.location.pathname + window.location.search,
  leftAddress: undefined,
  callbackUrl: undefined,
  linkedCode: undefined,
  typedPassword: undefined,
});
