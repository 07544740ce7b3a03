import { Link } from 'wouter';
import { CALLBACK } from '../signing-in/callback-words.ts';
import { PAGE_MISSING } from '../words/page-missing.ts';
import { useWords } from '../words/words.ts';
import { card } from './sign-in-page.tsx';

/** For an address that no page has. */
export const MissingPage = () => {
  const words = useWords(PAGE_MISSING);
  const { toAccount } = useWords(CALLBACK);
  return card(
    words.pageMissing,
    <>
      <p className="muted">{words.pageMissingHint}</p>
      <Link href="/" className="button button-main button-wide">
        {toAccount}
      </Link>
    </>,
  );
};
