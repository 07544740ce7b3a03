import type { ReactNode } from 'react';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';

type SelectionBarProps = { count: number; clear: () => void; children: ReactNode };

/** How many rows are selected, and what can be done to them. It replaces the tool bar, so that nothing moves. */
export const SelectionBar = ({ count, clear, children }: SelectionBarProps) => {
  const words = useWords(COMMON);
  return (
    <div className="toolbar several">
      <span className="strong">{words.selected(formatNumber(count))}</span>
      {children}
      <Button look="quiet" onClick={clear}>
        {words.clearSelection} <kbd className="shortcut">Esc</kbd>
      </Button>
    </div>
  );
};
