import './dialog.css';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { CloseIcon } from '../icons.tsx';
import { findFirst } from '../keys/kept-focus.ts';
import { LostAnswer } from '../lost-answer.tsx';
import { InDialog } from './in-dialog.ts';
import { UnsavedNotice } from './unsaved-notice.tsx';

type DialogProps = {
  /** Names the person or thing: "Block Jonas Weber?". */
  title: ReactNode;
  /** The text below the title: what will happen, and what stays. */
  lead?: ReactNode;
  isOpen: boolean;
  /** Undefined if the dialog cannot be left. */
  onClose?: (() => void) | undefined;
  /** Hides the page: the session that could read it has ended. */
  isCovering?: boolean;
  isWide?: boolean;
  /** If false, the dialog has no history entry, and the back button leaves the page. */
  isInHistory?: boolean;
  /** A click outside of the dialog closes it; for dialogs in which nothing is typed. */
  closesOutside?: boolean;
  /** The dialog is read before anything is pressed, so its heading gets the focus. */
  isRead?: boolean;
  children: ReactNode;
};

const INSIDE = { whilePending: <LostAnswer /> };

/** The number of dialogs that the current history entry stands for. */
const readDepth = (): number => history.state?.dialogs ?? 0;

/**
 * Stands the dialog for an entry of the history. Going back takes a while, and would close a dialog that opens in
 * the same step as another one closes; so it takes over the entry of the closed one.
 */
const enterHistory = (): void => {
  const { isLeft, ...state } = history.state ?? {};
  if (isLeft) history.replaceState(state, '');
  else history.pushState({ ...state, dialogs: readDepth() + 1 }, '');
};

/** Leaves the entry of a closed dialog, unless the page was left or another dialog has taken the entry over. */
const leaveHistory = (depth: number): void => {
  if (readDepth() < depth) return;
  history.replaceState({ ...history.state, isLeft: true }, '');
  setTimeout(() => {
    if (history.state?.isLeft) history.back();
  });
};

/**
 * Closes the dialog instead of leaving the page when somebody goes back. Each dialog has a history entry, and
 * closes when that is left, so a dialog over another one closes alone.
 */
const useBackButton = (isOpen: boolean, onClose: (() => void) | undefined): void => {
  const close = useEffectEvent(() => onClose?.());
  const canClose = onClose !== undefined;
  useEffect(() => {
    if (!(isOpen && canClose)) return;
    enterHistory();
    const depth = readDepth();
    const goBack = () => {
      if (readDepth() < depth) close();
    };
    window.addEventListener('popstate', goBack);
    return () => {
      window.removeEventListener('popstate', goBack);
      leaveHistory(depth);
    };
  }, [isOpen, canClose]);
};

/**
 * The browser returns the focus when a dialog closes, but not when the dialog is deleted while it is open, such
 * as with its row. The heading gets the focus if the element that opened the dialog is gone too.
 */
const returnFocus = (opener: Element | null): void => {
  // Safari does not focus a button that is clicked.
  if (opener === document.body) return;
  for (const element of [opener, document.querySelector('h1')])
    if (document.activeElement === document.body && element instanceof HTMLElement)
      element.focus({ preventScroll: true });
};

/**
 * Hides the dialog below another one, so that people see one at a time. It keeps what was typed, and is shown again
 * when the other one closes.
 */
const coverDialog = (): (() => void) => {
  const covered = document.querySelector('dialog[open]:not([data-covered])');
  covered?.setAttribute('data-covered', '');
  return () => covered?.removeAttribute('data-covered');
};

/** A reloaded list deletes the row of the opener shortly after the dialog has closed. */
const RELOAD_MILLISECONDS = 100;

/**
 * A native modal dialog. It is in the document only while it is open. Its content stays mounted when it is closed,
 * so that what was typed is there the next time; give it another `key` to forget it. Afterwards the focus is where
 * it was.
 */
export const Dialog = ({
  title,
  lead,
  isOpen,
  onClose,
  isCovering = false,
  isWide = false,
  isInHistory = true,
  closesOutside = false,
  isRead = false,
  children,
}: DialogProps) => {
  const words = useWords(COMMON);
  const dialog = useRef<HTMLDialogElement>(null);
  const [root] = useState(() => document.createElement('div'));
  const titleId = useId();
  useBackButton(isOpen && isInHistory, onClose);
  useEffect(() => {
    const { current } = dialog;
    if (!(current && isOpen)) return;
    const opener = document.activeElement;
    const uncover = coverDialog();
    document.body.append(root);
    current.showModal();
    findFirst(current).focus();
    return () => {
      uncover();
      current.close();
      root.remove();
      returnFocus(opener);
      setTimeout(() => returnFocus(opener), RELOAD_MILLISECONDS);
    };
  }, [isOpen, root]);
  // Rendered into the body, because a hidden parent, such as the closed menu, would hide the dialog too.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      className={`dialog${isWide ? ' dialog-wide' : ''}${isCovering ? ' dialog-covering' : ''}`}
      aria-labelledby={titleId}
      // Chromium closes a dialog at the second Escape although `cancel` is prevented.
      closedby={onClose ? 'closerequest' : 'none'}
      // The backdrop belongs to the dialog, and its content fills it.
      onClick={({ target, currentTarget }) => {
        if (closesOutside && target === currentTarget) onClose?.();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className="dialog-head">
        <div className="dialog-title">
          <h2 id={titleId} tabIndex={isRead ? -1 : undefined}>
            {title}
          </h2>
          {lead && <div className="muted">{lead}</div>}
        </div>
        {onClose && (
          <Button look="icon" aria-label={words.closeDialog} title={words.closeDialog} onClick={onClose}>
            <CloseIcon />
          </Button>
        )}
      </div>
      <div className="dialog-body stack">
        {isOpen && <UnsavedNotice />}
        <InDialog value={INSIDE}>{children}</InDialog>
      </div>
    </dialog>,
    root,
  );
};

type CancelButtonProps = { onClick: () => void; children?: ReactNode };

export const CancelButton = ({ onClick, children }: CancelButtonProps) => {
  const { cancel } = useWords(COMMON);
  return <Button onClick={onClick}>{children ?? cancel}</Button>;
};
