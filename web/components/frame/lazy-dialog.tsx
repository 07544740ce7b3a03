import { type ReactNode, Suspense } from 'react';
import { HeldKeys } from '../keys/held-keys.ts';
import { ErrorBoundary } from './error-boundary.tsx';

type LazyDialogProps = { onClose: () => void; children: ReactNode };

/** A dialog whose file is loaded over the page, which stays. It is mounted while it is open only. */
export const LazyDialog = ({ onClose, children }: LazyDialogProps) => (
  <ErrorBoundary>
    <Suspense fallback={<HeldKeys onGiveUp={onClose} />}>{children}</Suspense>
  </ErrorBoundary>
);
