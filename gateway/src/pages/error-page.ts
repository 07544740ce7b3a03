import type { AppError } from '@platform/shared/errors/app-error';
import { escapeHtml } from '@platform/shared/http/escape-html';
import { findLanguage, LANGUAGES, type Language } from '@platform/shared/http/language';
import type { Request } from 'express';

type Texts = {
  missing: string;
  missingHint: string;
  start: string;
  tooMany: string;
  unavailable: string;
  loadAgain: (minutes: number) => string;
  request: string;
};

const TEXTS: Record<Language, Texts> = {
  en: {
    missing: 'This page doesn’t exist',
    missingHint: 'The address may be mistyped, or the page has moved.',
    start: 'Go to the start page',
    tooMany: 'Too many requests',
    unavailable: 'Not available right now',
    loadAgain: (minutes) => `Load this page again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    request: 'Request',
  },
  de: {
    missing: 'Diese Seite gibt es nicht',
    missingHint: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    start: 'Zur Startseite',
    tooMany: 'Zu viele Anfragen',
    unavailable: 'Gerade nicht verfügbar',
    loadAgain: (minutes) =>
      `Laden Sie diese Seite in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} neu.`,
    request: 'Anfrage',
  },
};

const isMissing = ({ status }: AppError): boolean => status < 500 && status !== 429;

const toTitle = (texts: Texts, error: AppError): string => {
  if (isMissing(error)) return texts.missing;
  return error.status === 429 ? texts.tooMany : texts.unavailable;
};

const toText = (texts: Texts, error: AppError): string => {
  if (isMissing(error)) return texts.missingHint;
  const { 'Retry-After': seconds = '0' } = error.headers;
  return texts.loadAgain(Math.max(1, Math.ceil(Number(seconds) / 60)));
};

type Skeleton = {
  /** The address of the start page. */
  start: string;
  /** The links to the stylesheets of the page. */
  stylesheets: string;
  productName: string;
  productInitial: string;
};

/** Renders an error of the gateway as a page in words, without a script and in the look of the pages. */
export const renderErrorPage = (
  { start, stylesheets, productName, productInitial }: Skeleton,
  error: AppError,
  req: Request,
): string => {
  const language = findLanguage(req) ?? LANGUAGES[0];
  const { [language]: texts } = TEXTS;
  const title = toTitle(texts, error);
  const product = escapeHtml(productName);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title} – ${product}</title>
    ${stylesheets}
  </head>
  <body>
    <div class="sign-in-page">
      <main class="sign-in-card">
        <div class="sign-in-head">
          <span class="product"><span class="product-mark" aria-hidden="true">${escapeHtml(productInitial)}</span><span class="product-name">${product}</span></span>
        </div>
        <h1>${title}</h1>
        <p class="lead">${toText(texts, error)}</p>
        ${isMissing(error) ? `<a class="link" href="${start}">${texts.start}</a>` : ''}
        <p class="muted small">${texts.request} ${escapeHtml(req.state.requestId)}</p>
      </main>
    </div>
  </body>
</html>
`;
};
