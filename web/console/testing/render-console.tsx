import type { ReactNode } from 'react';
import { renderScreen } from '../../testing/render-screen.tsx';
import { backOffice } from '../back-office.ts';

/** Renders a screen of the console for an administrator. @param path below that of the console, with a query */
export const renderConsole = (element: ReactNode, path = '/') =>
  renderScreen(element, {
    base: '/console',
    path,
    kind: 'administrator',
    client: backOffice,
    isSignedIn: true,
  });
