import { findTextColour } from '@platform/shared/config/appearance';
import { ASK_ALWAYS, sendStatic } from '@platform/shared/http/static-content';
import type { RequestHandler } from 'express';
import { createDefaultLogo } from './default-logo.ts';
import type { PageSettings } from './page-settings.ts';

/** Undefined settings are null, so that the pages can rely on every property (web/page/settings.ts). */
const toSettings = (settings: PageSettings) => ({
  productName: settings.productName,
  supportEmail: settings.supportEmail ?? null,
  termsUrl: settings.termsUrl ?? null,
  privacyUrl: settings.privacyUrl ?? null,
  hasLogo: settings.logo !== undefined,
  returnOrigins: settings.returnOrigins,
});

/** Replaces the accent colour of web/style.css. Links and focus rings keep their colour. */
const toStylesheet = ({ accentColour }: PageSettings): string => {
  if (accentColour === undefined) return '';
  const text = findTextColour(accentColour);
  // Further away from the text, so that it stays as readable.
  const pressed = text === '#ffffff' ? '#000000' : '#ffffff';
  return [
    ':root {',
    `  --accent: ${accentColour};`,
    `  --accent-pressed: color-mix(in srgb, ${accentColour} 88%, ${pressed});`,
    `  --on-accent: ${text};`,
    '}',
    '',
  ].join('\n');
};

/** The files that the gateway makes of its settings at the start. Each page has them in its own folder. */
export const createSettingsFiles = (settings: PageSettings): [path: string, RequestHandler][] => {
  const { names, accentColour } = settings;
  const json = JSON.stringify(toSettings(settings));
  const stylesheet = toStylesheet(settings);
  const logo = settings.logo ?? createDefaultLogo(accentColour);
  const files: [name: string, RequestHandler][] = [
    ['settings.json', sendStatic('json', () => json, ASK_ALWAYS)],
    ['settings.css', sendStatic('css', () => stylesheet, ASK_ALWAYS)],
    ['logo.png', sendStatic('png', () => logo, ASK_ALWAYS)],
  ];
  return names.flatMap((page) =>
    files.map(([name, send]): [string, RequestHandler] => [`/${page}/${name}`, send]),
  );
};
