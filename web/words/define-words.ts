export type Language = 'en' | 'de';

/** The words of one part of the pages, in each language. A missing word does not compile. */
export type Words<Entries> = Record<Language, Entries>;

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const createPlural = (language: Language) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other;
};

/** Chooses the form of a text for a number, by the rules of the language. */
export const plural = { en: createPlural('en'), de: createPlural('de') } satisfies Record<Language, unknown>;

/** Needs no browser, so tests read the words that they look for. */
export const defineWords = <Entries extends object>(words: {
  en: Entries;
  de: NoInfer<Entries>;
}): Words<Entries> => words;
