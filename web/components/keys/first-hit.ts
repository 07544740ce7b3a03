import { useEffect, useEffectEvent, useRef } from 'react';

/** The attributes of a field whose text is searched for. */
export const SEARCHED = { maxLength: 255, spellCheck: false, autoComplete: 'off' } as const;

type Hits = {
  /** The text whose hits are shown; undefined while none are. */
  answered: string | undefined;
  openFirst: () => void;
};

/**
 * Enter in a search opens the first hit of the typed text: at once, or as soon as its response is there, and never a
 * hit of an earlier text. `cancel` is for what is typed after Enter.
 */
export const useFirstHit = ({ answered, openFirst }: Hits) => {
  const wanted = useRef<string>(undefined);
  const openIfWanted = (text: string | undefined): void => {
    if (text === undefined || text !== wanted.current) return;
    wanted.current = undefined;
    openFirst();
  };
  const onAnswer = useEffectEvent(openIfWanted);
  useEffect(() => onAnswer(answered), [answered]);
  return {
    open: (text: string): void => {
      wanted.current = text;
      openIfWanted(answered);
    },
    cancel: (): void => {
      wanted.current = undefined;
    },
  };
};
