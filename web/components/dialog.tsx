import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';

type DialogProps = {
  /** Names the person or thing: "Block Jonas Weber?". */
  title: ReactNode;
  isOpen: boolean;
  /** Undefined if the dialog cannot be left. */
  onClose?: (() => void) | undefined;
  isWide?: boolean;
  children: ReactNode;
};

const InDialog = createContext(false);
/** In a dialog, the harmless button comes first. */
export const useIsInDialog = (): boolean => useContext(InDialog);

/** The first field that can be changed, else the first harmless button. */
const focusFirst = (dialog: HTMLDialogElement): void => {
  const first =
    dialog.querySelector<HTMLElement>('input:not([type=hidden], [hidden], [readonly]), select, textarea') ??
    dialog.querySelector<HTMLElement>('button:not(.button-danger, .button-main), button, a');
  first?.focus();
};

/** Closes the dialog instead of leaving the page when somebody goes back. */
const useBackButton = (isOpen: boolean, onClose: (() => void) | undefined): void => {
  const close = useRef(onClose);
  close.current = onClose;
  const canClose = onClose !== undefined;
  useEffect(() => {
    if (!(isOpen && canClose)) return;
    history.pushState({ ...history.state, dialog: true }, '');
    const goBack = () => close.current?.();
    window.addEventListener('popstate', goBack);
    return () => {
      window.removeEventListener('popstate', goBack);
      if (history.state?.dialog) history.back();
    };
  }, [isOpen, canClose]);
};

/**
 * A native modal dialog. Its content stays mounted when it is closed, so that what was typed is there the
 * next time; give it another `key` to forget it. The browser returns the focus to where it was.
 */
export const Dialog = ({ title, isOpen, onClose, isWide = false, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useBackButton(isOpen, onClose);
  useEffect(() => {
    const { current } = dialog;
    if (!current || current.open === isOpen) return;
    if (!isOpen) return current.close();
    current.showModal();
    focusFirst(current);
  }, [isOpen]);
  // In the body, because a hidden parent, such as the closed menu, would hide the dialog too.
  return createPortal(
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className="stack">
        <h2 id={titleId}>{title}</h2>
        <InDialog value>{children}</InDialog>
      </div>
    </dialog>,
    document.body,
  );
};

export const CancelButton = ({ onClick }: { onClick: () => void }) => (
  <Button onClick={onClick}>{useWords(COMMON).cancel}</Button>
);
