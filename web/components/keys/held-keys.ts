import { useEffect, useEffectEvent } from 'react';

const isText = (field: Element | null): field is HTMLInputElement | HTMLTextAreaElement =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  field.selectionStart !== null;

const typeInto = (field: Element | null, text: string, isEntered: boolean): void => {
  if (!isText(field)) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  // Later, because React must have rendered the text first.
  if (isEntered) queueMicrotask(() => field.dispatchEvent(enter));
};

/** AltGr writes letters, although Windows reports it as Ctrl with Alt. */
const isCommand = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

const edit = (text: string, key: string): string => {
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : text;
};

/**
 * Keeps the keys that are pressed before their field is there, such as that of a dialog whose file is being loaded:
 * none acts on the page behind. When the component is gone, they are typed into the field that has the focus by then.
 * Escape gives up, and forgets them.
 */
export const HeldKeys = ({ onGiveUp }: { onGiveUp: () => void }) => {
  const giveUp = useEffectEvent(onGiveUp);
  useEffect(() => {
    const before = document.activeElement;
    let text = '';
    let isEntered = false;
    const hold = (event: KeyboardEvent): void => {
      if (isCommand(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      text = edit(text, event.key);
      isEntered = event.key === 'Enter';
      if (event.key === 'Escape') giveUp();
    };
    // In the capture phase, to come before the listeners of the document, which act on keys.
    window.addEventListener('keydown', hold, true);
    return () => {
      window.removeEventListener('keydown', hold, true);
      // Later, because the dialog that takes its place must have opened.
      queueMicrotask(() => {
        if (text && document.activeElement !== before) typeInto(document.activeElement, text, isEntered);
      });
    };
  }, []);
  return null;
};
