import { Link } from 'wouter';
import { PAGE_MISSING } from '../words/page-missing.ts';
import { useWords } from '../words/words.ts';
import { Page } from './page.tsx';
import { Empty } from './states.tsx';

export const PageMissing = () => {
  const words = useWords(PAGE_MISSING);
  return (
    <Page title={words.pageMissing}>
      <Empty
        action={
          <Link className="button" href="/">
            {words.toStart}
          </Link>
        }
      >
        {words.pageMissingHint}
      </Empty>
    </Page>
  );
};
