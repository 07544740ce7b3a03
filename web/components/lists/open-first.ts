import { useEffect, useEffectEvent, useRef } from 'react';
import { openFirstRow } from '../keys/list-keys.ts';
import type { ListState } from './list-state.ts';

/**
 * Lets the search of a list open the first hit once the answer to its text is there, and never a row of the one
 * before. Returns what the field needs.
 */
export const useOpenFirst = (
  { search, setSearch }: Pick<ListState, 'search' | 'setSearch'>,
  isAnswered: boolean,
) => {
  const wanted = useRef<string>(undefined);
  const answered = isAnswered ? search : undefined;
  const openIfWanted = (text: string | undefined) => {
    if (text === undefined || text !== wanted.current) return;
    wanted.current = undefined;
    openFirstRow();
  };
  const onAnswer = useEffectEvent(openIfWanted);
  useEffect(() => onAnswer(answered), [answered]);
  return {
    list: {
      search,
      setSearch: (text: string): void => {
        wanted.current = undefined;
        setSearch(text);
      },
    },
    onOpenFirst: (text: string): void => {
      wanted.current = text;
      openIfWanted(answered);
    },
  };
};
