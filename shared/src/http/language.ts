import type { Request } from 'express';

/** The languages of the platform; the first is the default. Each has a file in the worker's templates. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the default for any other value. */
export const toLanguage = (value: unknown): Language =>
  LANGUAGES.find((language) => language === value) ?? LANGUAGES[0];

/** The best of the languages that the client accepts. Undefined if it accepts none of ours, or any. */
export const findLanguage = (req: Request): Language | undefined => {
  for (const accepted of req.acceptsLanguages()) {
    const [primary] = accepted.toLowerCase().split('-');
    const language = LANGUAGES.find((each) => each === primary);
    if (language) return language;
  }
  return undefined;
};
