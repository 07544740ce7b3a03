import { type BrandColours, readBrand } from '@platform/shared/appearance/brand-colours';
import type { Logo } from '@platform/shared/config/appearance';
import { ASK_ALWAYS, sendStatic } from '@platform/shared/http/static-content';
import type { RequestHandler } from 'express';
import { createIcon, createTouchIcon } from './icons.ts';
import type { PageSettings } from './page-settings.ts';

const toLogoName = (logo: Logo | undefined, name: string): string | null =>
  logo === undefined ? null : `${name}.${logo.type}`;

/** Undefined settings are null, so that the pages can rely on every property (web/page/settings.ts). */
const toSettings = (settings: PageSettings) => ({
  productName: settings.productName,
  supportEmail: settings.supportEmail ?? null,
  termsUrl: settings.termsUrl ?? null,
  privacyUrl: settings.privacyUrl ?? null,
  logo: toLogoName(settings.logo, 'logo'),
  logoDark: toLogoName(settings.logoDark, 'logo-dark'),
  brandPanel: settings.brandPanel
    ? { en: settings.brandPanel.en ?? null, de: settings.brandPanel.de ?? null }
    : null,
  returnOrigins: settings.returnOrigins,
});

/** The custom properties of web/style.css that a brand replaces. */
const PROPERTIES: [property: string, name: keyof BrandColours][] = [
  ['--accent', 'accent'],
  ['--on-accent', 'onAccent'],
  ['--accent-pressed', 'accentPressed'],
  ['--accent-line', 'accentLine'],
  ['--link', 'link'],
  ['--tint', 'tint'],
  ['--ground', 'ground'],
  ['--shape', 'shape'],
  ['--panel', 'panel'],
  ['--on-panel', 'onPanel'],
  ['--panel-shape', 'panelShape'],
];

const toStylesheet = ({ accent }: PageSettings): string => {
  if (accent.colour === undefined && accent.dark === undefined) return '';
  const { light, dark } = readBrand(accent);
  return [
    ':root {',
    ...PROPERTIES.map(([property, name]) => `  ${property}: light-dark(${light[name]}, ${dark[name]});`),
    `  --link-line: ${light.linkLine};`,
    '}',
    '',
  ].join('\n');
};

/**
 * A picture, but never a document: opened by its address, a drawing with a script in it is downloaded, and
 * nothing in it runs.
 */
const sendLogo = ({ type, bytes }: Logo): RequestHandler => {
  const send = sendStatic(type, () => bytes, ASK_ALWAYS);
  return (req, res, next) => {
    res.set({
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Content-Disposition': 'attachment',
    });
    send(req, res, next);
  };
};

const listLogos = ({ logo, logoDark }: PageSettings): [name: string, RequestHandler][] =>
  (
    [
      ['logo', logo],
      ['logo-dark', logoDark],
    ] as const
  ).flatMap(([name, file]) => (file === undefined ? [] : [[`${name}.${file.type}`, sendLogo(file)]]));

/** The files that the gateway makes of its settings at the start. Each page has them in its own folder. */
export const createSettingsFiles = (settings: PageSettings): [path: string, RequestHandler][] => {
  const { names, accent } = settings;
  const json = JSON.stringify(toSettings(settings));
  const stylesheet = toStylesheet(settings);
  const { light } = readBrand(accent);
  const icon = createIcon(settings.productName, light);
  const touchIcon = createTouchIcon(light.accent);
  const files: [name: string, RequestHandler][] = [
    ['settings.json', sendStatic('json', () => json, ASK_ALWAYS)],
    ['settings.css', sendStatic('css', () => stylesheet, ASK_ALWAYS)],
    ['icon.svg', sendLogo({ type: 'svg', bytes: Buffer.from(icon) })],
    ['touch-icon.png', sendStatic('png', () => touchIcon, ASK_ALWAYS)],
    ...listLogos(settings),
  ];
  return names.flatMap((page) =>
    files.map(([name, send]): [string, RequestHandler] => [`/${page}/${name}`, send]),
  );
};
