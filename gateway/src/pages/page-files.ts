import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { ConfigError } from '@platform/shared/config/env';
import type { PageName } from '@platform/shared/config/pages';
import { escapeHtml } from '@platform/shared/http/escape-html';
import { ASK_ALWAYS, FOR_EVER, sendStatic } from '@platform/shared/http/static-content';
import type { RequestHandler } from 'express';
import { toInitial } from './icons.ts';
import type { PageSettings } from './page-settings.ts';

const STYLESHEETS = /<link\s[^>]*rel="stylesheet"[^>]*>/g;
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Fills in what the page shows before its script has run. */
const fillPage = (html: string, { productName }: PageSettings): string => {
  const values: Record<string, string> = { productName, productInitial: toInitial(productName) };
  return html.replace(PLACEHOLDER, (placeholder, name: string) => escapeHtml(values[name] ?? placeholder));
};

/** The links to the stylesheets of a page that was built. */
export const readStylesheets = ({ directory }: PageSettings, name: PageName): string =>
  readFileSync(join(directory, name, 'index.html'))
    .toString()
    .match(STYLESHEETS)
    ?.join('') ?? '';

/** Vite appends a hash of eight characters to the name of everything in `assets`. */
const HASHED = /\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/**
 * The pages that were built: a gateway that is started alone in development needs none.
 * @throws ConfigError if a required one was not built
 */
export const findBuiltPages = ({ names, isRequired, directory }: PageSettings): PageName[] => {
  const missing = names.filter((name) => !existsSync(join(directory, name, 'index.html')));
  if (isRequired && missing.length > 0)
    throw new ConfigError(`PAGES: ${directory} has no ${missing.join(' and no ')}; build the pages first`);
  return names.filter((name) => !missing.includes(name));
};

/** The build appends this to the name of a file that it has compressed with Brotli. */
const BROTLI = '.br';

/**
 * Reads the build of the pages once, like the OpenAPI document: a new build below a running gateway must not
 * mix two releases.
 */
export const readPageFiles = (
  settings: PageSettings,
  names: readonly PageName[],
): [path: string, RequestHandler][] =>
  names
    .flatMap((page) => readdirSync(join(settings.directory, page), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith(BROTLI))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => {
      const content = readFileSync(file);
      const bytes = file.endsWith('.html') ? fillPage(content.toString(), settings) : content;
      const path = `/${relative(settings.directory, file).split(sep).join('/')}`;
      const brotli = existsSync(file + BROTLI) ? readFileSync(file + BROTLI) : undefined;
      const cacheControl = HASHED.test(path) ? FOR_EVER : ASK_ALWAYS;
      return [path, sendStatic(basename(path), () => bytes, cacheControl, brotli)];
    });
