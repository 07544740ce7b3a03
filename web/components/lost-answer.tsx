import { useMutationState } from '@tanstack/react-query';
import { useIsOutcomeUnknown } from '../session/lost-answers.ts';
import { COMMON } from '../words/common.ts';
import { LOST_ANSWERS } from '../words/lost-answers.ts';
import { useWords } from '../words/words.ts';
import { Notice } from './notice.tsx';

/** Says that a write got no answer, while the server is asked whether it was carried out. */
export const LostAnswer = () => {
  const words = { ...useWords(COMMON), ...useWords(LOST_ANSWERS) };
  const isUnknown = useIsOutcomeUnknown();
  const [whether = words.whetherDone] = useMutationState({
    filters: { status: 'pending', predicate: ({ meta }) => meta?.whether !== undefined },
    select: ({ meta }) => meta?.whether,
  });
  return (
    <div role="alert" className={isUnknown ? undefined : 'visually-hidden'}>
      {isUnknown && (
        <Notice look="warn">
          <p className="strong">{words.notKnown(whether)}</p>
          <p>{words.asking}</p>
        </Notice>
      )}
    </div>
  );
};
