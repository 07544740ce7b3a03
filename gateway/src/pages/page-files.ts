import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { ConfigError } from '@platform/shared/config/env';
import type { PageName } from '@platform/shared/config/pages';
import { ASK_ALWAYS, FOR_EVER, sendStatic } from '@platform/shared/http/static-content';
import type { RequestHandler } from 'express';
import type { PageSettings } from './page-settings.ts';

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

/**
 * Reads the build of the pages once, like the OpenAPI document: a new build below a running gateway must not
 * mix two releases.
 */
export const readPageFiles = (
  directory: string,
  names: readonly PageName[],
): [path: string, RequestHandler][] =>
  names
    .flatMap((page) => readdirSync(join(directory, page), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => {
      const bytes = readFileSync(file);
      const path = `/${relative(directory, file).split(sep).join('/')}`;
      return [path, sendStatic(basename(path), () => bytes, HASHED.test(path) ? FOR_EVER : ASK_ALWAYS)];
    });
