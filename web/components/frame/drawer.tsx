import { type ReactNode, useEffect, useRef } from 'react';

type DrawerProps = { label: string; onClose: () => void; children: ReactNode };

/** Slides over the page at its left. The focus stays inside; Escape and a tap beside it close it. */
export const Drawer = ({ label, onClose, children }: DrawerProps) => {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = drawer;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={drawer}
      className="side-bar-drawer"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The backdrop belongs to the dialog, and its content fills it.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
};
