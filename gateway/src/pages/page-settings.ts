import { join } from 'node:path';
import type { AccentSettings } from '@platform/shared/appearance/brand-colours';
import { httpUrl, mailAddress, originList } from '@platform/shared/config/addresses';
import {
  appearanceVariables,
  type KindNames,
  type Logo,
  toKindNames,
} from '@platform/shared/config/appearance';
import {
  ConfigError,
  lineOfText,
  onOff,
  productName,
  rejectProblems,
  text,
} from '@platform/shared/config/env';
import { findPages, type PageName, pagesVariables, readPages } from '@platform/shared/config/pages';
import type { CleanedEnv } from 'envalid';
import { type AllowedOrigins, isAllowedOrigin } from '../origins.ts';

type Desk = { url: string; name: string | undefined };

export type PageSettings = {
  names: readonly PageName[];
  /** Whether PAGES asks for them. In development they are on without it. */
  isRequired: boolean;
  /** The build of `web`. */
  directory: string;
  productName: string;
  kindNames: KindNames;
  /** Beside the name of the product in the console, so that nobody takes a trial for production. */
  environmentName: string | undefined;
  /** The address of the page on which operators and arbiters work. */
  desks: Record<'OPERATOR' | 'ARBITER', Desk | undefined>;
  supportEmail: string | undefined;
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
  /** Origins to which the account pages may return after the sign-in. */
  returnOrigins: readonly string[];
  logo: Logo | undefined;
  /** For dark pages. */
  logoDark: Logo | undefined;
  /** The accent colour, and that of dark pages if it is set separately. */
  accent: AccentSettings;
  /** The text of the panel beside the sign-in card, by language; undefined if there is no panel. */
  brandPanel: { en: string | undefined; de: string | undefined } | undefined;
  /** The logos by the name of their provider. */
  providerLogos: ReadonlyMap<string, Logo>;
};

const deskName = lineOfText(60)({ default: undefined });
const brandText = lineOfText(200)({ default: undefined });

export const pageVariables = {
  ...pagesVariables,
  ...appearanceVariables,
  PRODUCT_NAME: productName,
  ENVIRONMENT_NAME: lineOfText(20)({ default: undefined }),
  OPERATOR_DESK_URL: httpUrl({ default: undefined }),
  OPERATOR_DESK_NAME: deskName,
  ARBITER_DESK_URL: httpUrl({ default: undefined }),
  ARBITER_DESK_NAME: deskName,
  SUPPORT_EMAIL: mailAddress({ default: undefined }),
  ACCOUNT_RETURN_ORIGINS: originList({ default: [] }),
  BRAND_PANEL: onOff('off'),
  BRAND_TEXT_EN: brandText,
  BRAND_TEXT_DE: brandText,
  /** The build of the pages. Only the embedded stack sets it. */
  PAGES_DIR: text({ default: join(import.meta.dirname, '../../../web/dist') }),
};

type Variables = CleanedEnv<typeof pageVariables> & {
  NODE_ENV: string;
  CORS_ORIGINS: string[] | undefined;
};

/**
 * Without a list of public suffixes, two hosts with the same last two labels count as the same site. It tells
 * an operator about a mistake; the list itself is what protects.
 */
const toSite = ({ protocol, hostname }: URL): string =>
  `${protocol}//${hostname.split('.').slice(-2).join('.')}`;

const findReturnProblem = (
  origin: string,
  allowed: AllowedOrigins,
  ownOrigin: string | undefined,
): string | undefined => {
  if (!isAllowedOrigin(allowed, origin)) return 'is not in CORS_ORIGINS';
  // Browsers send the refresh cookie only within the site.
  if (ownOrigin !== undefined && toSite(new URL(origin)) !== toSite(new URL(ownOrigin)))
    return 'is not of the site of PUBLIC_URL';
  return undefined;
};

/** @throws ConfigError that names every origin to which the pages must not return */
const rejectReturnOrigins = (env: Variables, ownOrigin: string | undefined): void => {
  const problems = env.ACCOUNT_RETURN_ORIGINS.flatMap((origin) => {
    const problem = findReturnProblem(origin, env.CORS_ORIGINS ?? 'loopback', ownOrigin);
    return problem === undefined ? [] : [`ACCOUNT_RETURN_ORIGINS: ${origin} ${problem}`];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
};

const toDesk = (url: string | undefined, name: string | undefined): Desk | undefined =>
  url === undefined ? undefined : { url, name };

/** @throws ConfigError */
export const readPageSettings = (env: Variables): Omit<PageSettings, 'providerLogos'> => {
  rejectProblems([() => readPages(env), () => rejectReturnOrigins(env, findPages(env).origin)]);
  const { names } = readPages(env);
  return {
    names,
    isRequired: env.PAGES !== undefined && names.length > 0,
    directory: env.PAGES_DIR,
    productName: env.PRODUCT_NAME,
    kindNames: toKindNames(env),
    environmentName: env.ENVIRONMENT_NAME,
    desks: {
      OPERATOR: toDesk(env.OPERATOR_DESK_URL, env.OPERATOR_DESK_NAME),
      ARBITER: toDesk(env.ARBITER_DESK_URL, env.ARBITER_DESK_NAME),
    },
    supportEmail: env.SUPPORT_EMAIL,
    termsUrl: env.TERMS_URL,
    privacyUrl: env.PRIVACY_URL,
    returnOrigins: env.ACCOUNT_RETURN_ORIGINS,
    logo: env.LOGO_FILE,
    logoDark: env.LOGO_DARK_FILE,
    accent: { colour: env.ACCENT_COLOUR, dark: env.ACCENT_COLOUR_DARK },
    brandPanel: env.BRAND_PANEL === 'on' ? { en: env.BRAND_TEXT_EN, de: env.BRAND_TEXT_DE } : undefined,
  };
};
