import '../style.css';
import '../components/controls.css';
import '../components/layout.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { StatusProvider } from '../components/status.tsx';
import { WaitingBar } from '../components/waiting.tsx';
import { loadMessages } from '../session/messages.ts';
import { getLanguage } from '../words/language.ts';
import { loadSettings } from './settings.ts';

const RELOADED_KEY = 'platform.reloaded';

/** A new release has replaced the file of a screen: the new index.html has its address. Reloads once a minute. */
const reloadForNewRelease = (event: Event): void => {
  const reloadedAt = Number(sessionStorage.getItem(RELOADED_KEY));
  if (Date.now() - reloadedAt < 60_000) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  window.location.reload();
};

/** Renders an application below its address, `/console` or `/account`. */
export const startApplication = async (application: ReactNode): Promise<void> => {
  window.addEventListener('vite:preloadError', reloadForNewRelease);
  await Promise.all([loadSettings(), loadMessages(getLanguage())]);
  const element = document.querySelector('#page');
  if (!element) throw new Error('index.html has no element #page');
  createRoot(element).render(
    <StrictMode>
      <WaitingBar />
      <ErrorBoundary>
        <Router base={import.meta.env.BASE_URL.replace(/\/$/, '')}>
          <StatusProvider>{application}</StatusProvider>
        </Router>
      </ErrorBoundary>
    </StrictMode>,
  );
};
