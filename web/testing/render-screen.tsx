import type { Kind } from '@platform/client';
import { useQueryClient } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react/pure.js';
import { type ReactNode, StrictMode } from 'react';
import { Router } from 'wouter';
import { StatusProvider } from '../components/status.tsx';
import { WithQueries } from '../components/with-queries.tsx';
import { createPageClient, type Platform, PlatformProvider } from '../session/platform.ts';
import { SessionGate } from '../session/session-gate.tsx';
import { loadCatalogue } from '../words/catalogues.ts';
import { fetchFromContract, resetContract } from './contract.ts';
import { watchReloads } from './reloads.ts';

type ScreenOptions = {
  /** The path below `base`, with a query. */
  path?: string;
  base?: string;
  /** The state of the entry of the history, as a reload leaves it. */
  state?: unknown;
  kind?: Kind;
  /** The client of the screens that bring their own, such as those of the console. */
  client?: Platform['client'];
  /** Signs in first, as the example of the sign-in. Without, the screen is rendered for nobody. */
  isSignedIn?: boolean;
};

const EMAIL = 'ada@example.com';
const cleanups: (() => Promise<void> | void)[] = [];
/** Renders the screen of the test again, as a load of the page does. The memory of the modules stays. */
let loadAgain = (): void => undefined;

const signIn = async ({ client }: Platform): Promise<void> => {
  await client.signIn({ email: EMAIL, password: 'Password123!' });
};

const Watched = ({ children }: { children: ReactNode }) => {
  watchReloads(useQueryClient());
  return children;
};

/**
 * Renders a screen as web/start.tsx and the applications do, with the real client, queries, router and words.
 * Requests are answered by contract.ts.
 */
export const renderScreen = async (
  element: ReactNode,
  { path = '/', base = '', state = null, kind = 'customer', client, isSignedIn = false }: ScreenOptions = {},
): Promise<Platform> => {
  history.replaceState(state, '', base + path);
  await loadCatalogue('en');
  const createPlatform = (): Platform => {
    const platform = { kind, client: client ?? createPageClient(kind), callbackPath: `${base}/callback` };
    cleanups.push(async () => {
      await platform.client.signOut({ localOnly: true });
      if (!client) platform.client.close();
    });
    return platform;
  };
  const content = isSignedIn ? (
    <SessionGate signIn={() => <p>signed out</p>} signInAgain={() => null}>
      {element}
    </SessionGate>
  ) : (
    element
  );
  const show = (platform: Platform) =>
    render(
      <StrictMode>
        <Router base={base}>
          <StatusProvider>
            <PlatformProvider value={platform}>
              <WithQueries>
                <Watched>
                  <main>{content}</main>
                </Watched>
              </WithQueries>
            </PlatformProvider>
          </StatusProvider>
        </Router>
      </StrictMode>,
    );
  loadAgain = () => {
    cleanup();
    show(createPlatform());
  };
  const platform = createPlatform();
  if (isSignedIn) await signIn(platform);
  show(platform);
  return platform;
};

/** Called by use-page.ts before each test. */
export const startTest = (): void => {
  globalThis.fetch = ((input: Request) => fetchFromContract(input)) as typeof fetch;
  window.location.reload = () => void setTimeout(() => loadAgain());
  // Browsers hide a closed dialog, and so its buttons from screen readers and `getByRole`.
  document.head.innerHTML = '<style>dialog:not([open]) { display: none }</style>';
};

/** Called by use-page.ts after each test. */
export const endTest = async (): Promise<void> => {
  cleanup();
  loadAgain = () => undefined;
  for (const end of cleanups.splice(0)) await act(end);
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  resetContract();
};
