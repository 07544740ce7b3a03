import { defineWords } from '../../words/define-words.ts';
import { useWords } from '../../words/words.ts';
import { Notice } from '../notice.tsx';

const WORDS = defineWords({
  en: {
    insecure: 'This address is not secure',
    insecureHint: 'You are signed out when the page loads again. Use https:// or localhost.',
  },
  de: {
    insecure: 'Diese Adresse ist nicht sicher',
    insecureHint: 'Sobald die Seite neu lädt, sind Sie abgemeldet. Verwenden Sie https:// oder localhost.',
  },
});

/** On `http://` with another host than this machine, browsers keep no `Secure` cookie, and so no session. */
export const InsecureAddress = () => {
  const words = useWords(WORDS);
  return (
    <Notice look="warn" title={words.insecure}>
      {words.insecureHint}
    </Notice>
  );
};
