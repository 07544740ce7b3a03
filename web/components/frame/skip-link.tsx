import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';

/**
 * Moves the focus to the content. Following the link would add a history entry without the state of the current
 * one, such as the search that somebody typed.
 */
export const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: a screen reader lists skip links among the links.
  <a
    className="skip-link"
    href="#content"
    onClick={(event) => {
      event.preventDefault();
      document.querySelector<HTMLElement>('#content')?.focus();
    }}
  >
    {useWords(COMMON).skipToContent}
  </a>
);
