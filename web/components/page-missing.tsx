import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Page } from './page.tsx';
import { Empty } from './states.tsx';

export const PageMissing = () => {
  const words = useWords(COMMON);
  return (
    <Page title={words.pageMissing}>
      <Empty>{words.pageMissingHint}</Empty>
    </Page>
  );
};
