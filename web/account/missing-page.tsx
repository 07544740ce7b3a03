import { Link } from 'wouter';
import { COMMON } from '../words/common.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { card } from './sign-in-page.tsx';

/** For an address that no page has. */
export const MissingPage = () => {
  const words = useWords(COMMON);
  const { toAccount } = useWords(SIGNING_IN);
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
