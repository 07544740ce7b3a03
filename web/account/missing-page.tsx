import { Link } from 'wouter';
import { SearchIcon } from '../components/icons.tsx';
import { PAGE_MISSING } from '../words/page-missing.ts';
import { useWords } from '../words/words.ts';
import { AccountCard } from './account-card.tsx';

/** Shown at an address that no page has. */
export const MissingPage = () => {
  const words = useWords(PAGE_MISSING);
  return (
    <AccountCard title={words.pageMissing} symbol={<SearchIcon />}>
      <p className="lead">{words.pageMissingHint}</p>
      <Link href="/" className="button button-main button-wide">
        {words.toAccount}
      </Link>
    </AccountCard>
  );
};
