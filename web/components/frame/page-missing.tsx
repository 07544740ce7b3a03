import { Link } from 'wouter';
import { defineWords } from '../../words/define-words.ts';
import { PAGE_MISSING } from '../../words/page-missing.ts';
import { useWords } from '../../words/words.ts';
import { Empty } from '../states.tsx';
import { Page } from './page.tsx';

const WORDS = defineWords({ en: { toStart: 'Go to the start page' }, de: { toStart: 'Zur Startseite' } });

export const PageMissing = () => {
  const words = useWords(PAGE_MISSING);
  return (
    <Page title={words.pageMissing}>
      <Empty
        action={
          <Link className="button" href="/">
            {useWords(WORDS).toStart}
          </Link>
        }
      >
        {words.pageMissingHint}
      </Empty>
    </Page>
  );
};
