import { type Logo, logoFile } from '@platform/shared/config/appearance';
import { type Environment, readEnvironment } from '@platform/shared/config/env';

const VARIABLE = /^OIDC_([A-Z\d]+(?:_+[A-Z\d]+)*)_LOGO_FILE$/;

/**
 * The logos of providers by their name in OIDC_PROVIDERS, which only auth-service has: a variable has the name
 * in upper case, with `_` for `-`. @throws ConfigError
 */
export const readProviderLogos = (environment: Environment): ReadonlyMap<string, Logo> => {
  const variables = Object.keys(environment).filter((name) => VARIABLE.test(name));
  const specs = Object.fromEntries(variables.map((name) => [name, logoFile({ default: undefined })]));
  const logos: Record<string, Logo | undefined> = readEnvironment(environment, specs);
  return new Map(
    variables.flatMap((name) => {
      const [, provider = ''] = VARIABLE.exec(name) ?? [];
      const logo = logos[name];
      return logo === undefined ? [] : [[provider.toLowerCase().replaceAll('_', '-'), logo] as const];
    }),
  );
};
