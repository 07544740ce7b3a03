import './style.css';
import './components/button.css';
import './components/forms/field.css';
import './components/notice.css';
import './components/badge.css';
import './components/waiting-bar.css';
import './components/skeleton.css';
import './components/frame/product.css';
import './components/person.css';
import './components/frame/sign-in.css';
import './components/frame/foot.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { AlertIcon } from './components/form-icons.tsx';
import { ErrorBoundary } from './components/frame/error-boundary.tsx';
import { SignInCard } from './components/frame/sign-in-card.tsx';
import { StatusProvider } from './components/status.tsx';
import { noteResponse } from './page/failed-request.ts';
import { loadSettings } from './page/settings.ts';
import { loadCatalogue } from './words/catalogues.ts';
import { getLanguage } from './words/language.ts';

/**
 * The file of a screen could not be loaded. If a new release has replaced it, the page is loaded again; without a
 * connection, it stays. If the platform fails, the page names the request.
 */
const reloadForNewRelease = async (): Promise<void> => {
  const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src');
  const response = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).catch(() => undefined);
  noteResponse(response);
  if (!(response?.ok && script)) return;
  if (!(await response.text()).includes(script)) window.location.reload();
};

/** Renders an application below its address, `/console` or `/account`. */
export const startApplication = async (application: ReactNode): Promise<void> => {
  window.addEventListener('vite:preloadError', () => void reloadForNewRelease());
  // Loaded in the background: only errors of the platform need it.
  void loadCatalogue(getLanguage()).catch(() => undefined);
  await loadSettings();
  const element = document.querySelector('#page');
  if (!element) throw new Error('index.html has no element #page');
  createRoot(element).render(
    <StrictMode>
      <ErrorBoundary
        frame={(title, content) => (
          <SignInCard title={title} warning={<AlertIcon />}>
            {content}
          </SignInCard>
        )}
      >
        <Router base={import.meta.env.BASE_URL.replace(/\/$/, '')}>
          <StatusProvider>{application}</StatusProvider>
        </Router>
      </ErrorBoundary>
    </StrictMode>,
  );
};
