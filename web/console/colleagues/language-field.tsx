import { SelectField } from '../../components/forms/fields.tsx';
import type { ReadField } from '../../components/forms/form.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { INVITATIONS } from './invitation-words.ts';

export const readLanguage = (read: ReadField) => oneOf(['en', 'de'] as const, read('language'));

/** The language of an invitation's mail. */
export const LanguageField = ({ language }: { language: string }) => {
  const words = useWords(INVITATIONS);
  const { languages } = useWords(NAMES);
  return (
    <SelectField name="language" label={words.language} options={{ ...languages }} defaultValue={language} />
  );
};
