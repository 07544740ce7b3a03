import { useState } from 'react';
import { hasOutlived } from '../session/drafts.ts';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Notice } from './notice.tsx';

/** In an open dialog whose text has outlived its session: the status line of the page is out of reach. */
export const Outlived = () => {
  const { notSaved } = useWords(COMMON);
  const [before] = useState(hasOutlived.get);
  const isShown = hasOutlived.use() && !before;
  return (
    <div role="status" className={isShown ? undefined : 'visually-hidden'}>
      {isShown && <Notice look="warn">{notSaved}</Notice>}
    </div>
  );
};
