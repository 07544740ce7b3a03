import type { ReactNode } from 'react';
import { getSettings } from '../../page/settings.ts';
import { FORM } from '../../words/form.ts';
import { useWords } from '../../words/words.ts';
import { GlobeIcon } from '../form-icons.tsx';
import { LanguageSelect } from './language-select.tsx';

/** Opened in another tab, so that what was typed here stays. */
const IN_ANOTHER_TAB = { target: '_blank', rel: 'noreferrer' } as const;

type FootProps = {
  /** The page itself has the choice of the language, so the foot leaves it out. */
  isWithoutLanguage?: boolean;
  children?: ReactNode;
};

/** Language, support, terms and privacy, as far as the settings name them. */
export const Foot = ({ isWithoutLanguage = false, children }: FootProps) => {
  const words = useWords(FORM);
  const { supportEmail, termsUrl, privacyUrl } = getSettings();
  return (
    <footer className="foot">
      {children}
      {!isWithoutLanguage && (
        <span className="foot-language">
          <GlobeIcon />
          <LanguageSelect />
        </span>
      )}
      <span className="foot-links">
        {supportEmail && <a href={`mailto:${supportEmail}`}>{words.support}</a>}
        {termsUrl && (
          <a href={termsUrl} {...IN_ANOTHER_TAB}>
            {words.terms}
          </a>
        )}
        {privacyUrl && (
          <a href={privacyUrl} {...IN_ANOTHER_TAB}>
            {words.privacy}
          </a>
        )}
      </span>
    </footer>
  );
};
