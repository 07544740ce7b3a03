import type { Language } from '../../words/define-words.ts';
import { FORM } from '../../words/form.ts';
import { chooseLanguage, LANGUAGES, useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';

/** Mails follow the chosen language, because the browser sends it with each request. */
export const LanguageSelect = () => {
  const words = useWords(FORM);
  return (
    <select
      className="field-select foot-select"
      aria-label={words.language}
      value={useLanguage()}
      onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
};
