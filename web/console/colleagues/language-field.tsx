import { SelectField } from '../../components/forms/fields.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { INVITATIONS } from './invitation-words.ts';

export type LanguageFields = { language: string };

export const toLanguage = ({ language }: LanguageFields) => oneOf(['en', 'de'] as const, language);

/** The language of an invitation's mail. */
export const LanguageField = ({ language }: { language: string }) => {
  const words = useWords(INVITATIONS);
  const { languages } = useWords(NAMES);
  return (
    <SelectField<LanguageFields>
      name="language"
      label={words.language}
      options={{ ...languages }}
      defaultValue={language}
    />
  );
};
