import { useState } from 'react';
import { pageState } from '../../page/page-state.ts';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Notice } from '../notice.tsx';

/** Says in an open dialog that its text has outlived its session, because the page's status line is out of reach. */
export const UnsavedNotice = () => {
  const { notSaved } = useWords(COMMON);
  const hasOutlived = pageState.use((state) => state.hasOutlived);
  const [before] = useState(hasOutlived);
  const isShown = hasOutlived && !before;
  return (
    <div role="status" className={isShown ? undefined : 'visually-hidden'}>
      {isShown && <Notice look="warn">{notSaved}</Notice>}
    </div>
  );
};
