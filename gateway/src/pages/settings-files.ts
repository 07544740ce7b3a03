import { type BrandColours, readBrand } from '@platform/shared/appearance/brand-colours';
import type { Logo } from '@platform/shared/config/appearance';
import type { PageName } from '@platform/shared/config/pages';
import { ASK_ALWAYS, sendStatic } from '@platform/shared/http/static-content';
import type { RequestHandler } from 'express';
import { createIcon, createTouchIcon } from './icons.ts';
import type { PageSettings } from './page-settings.ts';

const toLogoName = (logo: Logo | undefined, name: string): string | null =>
  logo === undefined ? null : `${name}.${logo.type}`;

/** The panel may be dark on light pages, and light on dark ones, so the colour of its text decides which logo it gets. */
const toPanel = ({ brandPanel, accent, ...settings }: PageSettings) => {
  if (brandPanel === undefined) return null;
  const { light, dark } = readBrand(accent);
  const logo = toLogoName(settings.logo, 'logo');
  const logoDark = toLogoName(settings.logoDark, 'logo-dark') ?? logo;
  const toVisible = ({ onPanel }: BrandColours) => (onPanel === '#ffffff' ? logoDark : logo);
  const { en = null, de = null } = brandPanel;
  return { en, de, logo: toVisible(light), logoDark: toVisible(dark) };
};

const toProviderLogos = ({ providerLogos }: PageSettings): [name: string, provider: string, Logo][] =>
  [...providerLogos].map(([provider, logo]) => [`provider-${provider}.${logo.type}`, provider, logo]);

const toDesk = (desk: PageSettings['desks']['OPERATOR']) =>
  desk === undefined ? null : { url: desk.url, name: desk.name ?? null };

/** Undefined settings are null, so that the pages can rely on every property (web/page/settings.ts). */
const toSettings = (page: PageName, settings: PageSettings) => ({
  productName: settings.productName,
  kindNames: settings.kindNames,
  environmentName: settings.environmentName ?? null,
  desks: {
    OPERATOR: toDesk(settings.desks.OPERATOR),
    ARBITER: toDesk(settings.desks.ARBITER),
  },
  supportEmail: settings.supportEmail ?? null,
  termsUrl: settings.termsUrl ?? null,
  privacyUrl: settings.privacyUrl ?? null,
  logo: toLogoName(settings.logo, 'logo'),
  logoDark: toLogoName(settings.logoDark, 'logo-dark'),
  // Only customers and employees see the panel.
  brandPanel: page === 'account' ? toPanel(settings) : null,
  providerLogos: Object.fromEntries(toProviderLogos(settings).map(([name, provider]) => [provider, name])),
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
  const stylesheet = toStylesheet(settings);
  const { light } = readBrand(accent);
  const icon = createIcon(settings.productName, light);
  const touchIcon = createTouchIcon(light.accent);
  const files: [name: string, RequestHandler][] = [
    ['settings.css', sendStatic('css', () => stylesheet, ASK_ALWAYS)],
    ['icon.svg', sendLogo({ type: 'svg', bytes: Buffer.from(icon) })],
    ['touch-icon.png', sendStatic('png', () => touchIcon, ASK_ALWAYS)],
    ...listLogos(settings),
    ...toProviderLogos(settings).map(([name, , logo]): [string, RequestHandler] => [name, sendLogo(logo)]),
  ];
  return names.flatMap((page) => {
    const json = JSON.stringify(toSettings(page, settings));
    const own: typeof files = [['settings.json', sendStatic('json', () => json, ASK_ALWAYS)], ...files];
    return own.map(([name, send]): [string, RequestHandler] => [`/${page}/${name}`, send]);
  });
};
