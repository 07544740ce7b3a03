import { Component, type ReactNode } from 'react';
import { FORM } from '../words/form.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

const BrokenPage = () => {
  const words = useWords(FORM);
  return (
    <div className="stack">
      <Notice look="bad">
        <p className="strong">{words.pageBroken}</p>
        <p>{words.pageBrokenHint}</p>
      </Notice>
      <div>
        <Button onClick={() => location.reload()}>{words.reload}</Button>
      </div>
    </div>
  );
};

/** Catches errors while rendering: a defect, or a chunk that a new release has replaced. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render = () => (this.state.hasFailed ? <BrokenPage /> : this.props.children);
}
