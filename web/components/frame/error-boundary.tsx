import { Component, type ReactNode, useEffect, useState } from 'react';
import { useFailedRequest } from '../../page/failed-request.ts';
import { useIsOnline } from '../../page/online.ts';
import { FORM } from '../../words/form.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Id } from '../copy-button.tsx';
import { Notice } from '../notice.tsx';
import type { Frame } from './sign-in-card.tsx';

/** Shows the error as a notice, inside a page of which the rest is still there. */
const inNotice: Frame = (title, content) => (
  <Notice look="bad" title={title}>
    {content}
  </Notice>
);

const BrokenPage = ({ frame }: { frame: Frame }) => {
  const words = useWords(FORM);
  const requestId = useFailedRequest();
  const isOnline = useIsOnline();
  const [wasOffline] = useState(!isOnline);
  useEffect(() => {
    // The browser does not ask again for a file that failed.
    if (wasOffline && isOnline) location.reload();
  }, [wasOffline, isOnline]);
  return frame(
    wasOffline ? words.connectionLost : words.pageBroken,
    <>
      {requestId && (
        <p>
          {words.pageBrokenAgain} <Id id={requestId} />
        </p>
      )}
      <Button look="main" isWide onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </>,
  );
};

type ErrorBoundaryProps = {
  /** Shows the error as a page, where the rest of the page is gone. */
  frame?: Frame;
  children: ReactNode;
};

/** Catches errors while rendering: a defect, or a file that could not be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render = () =>
    this.state.hasFailed ? <BrokenPage frame={this.props.frame ?? inNotice} /> : this.props.children;
}
