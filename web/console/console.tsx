import { QueryClientProvider } from '@tanstack/react-query';
import { Shortcuts } from '../components/shortcuts.tsx';
import { SideBarFrame } from '../components/side-bar-frame.tsx';
import { type AnyClient, type Platform, PlatformProvider } from '../session/platform.ts';
import { createQueryClient } from '../session/queries.ts';
import { SessionGate, useSignedIn } from '../session/session-gate.tsx';
import { backOffice } from './back-office.ts';

const queries = createQueryClient();
// The console's client has the calls of every kind, and those of the back office besides.
const platform: Platform = {
  kind: 'administrator',
  client: backOffice as unknown as AnyClient,
  callbackPath: '/console/callback',
};
const PLACES = {};

const Screens = () => (
  <SideBarFrame
    entries={[]}
    email={useSignedIn().user.email}
    onSignOut={() => void backOffice.signOut()}
    foot={<Shortcuts places={PLACES} />}
  >
    x
  </SideBarFrame>
);

export const Console = () => (
  <PlatformProvider value={platform}>
    <QueryClientProvider client={queries}>
      <SessionGate signIn={() => null} signInAgain={() => null} onSignedOut={() => queries.clear()}>
        <Screens />
      </SessionGate>
    </QueryClientProvider>
  </PlatformProvider>
);
