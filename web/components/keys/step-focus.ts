import { useEffect } from 'react';

const focusStep = (): void => {
  if (matchMedia('(pointer: coarse)').matches && navigator.userActivation?.hasBeenActive === false) return;
  const place = document.querySelector('dialog[open]:not([data-covered])') ?? document.querySelector('main');
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && place?.contains(activeElement)) return;
  const fields = [...(place?.querySelectorAll<HTMLInputElement>('form input:not([hidden])') ?? [])];
  const first = fields.find(({ value }) => value === '') ?? fields[0];
  (first ?? place?.querySelector('h1'))?.focus();
};

/**
 * Focuses the first empty field of each step of a form, so that typing can go on, else the first field, else the
 * heading: never a button, which the next key of somebody who types would press. In a dialog, it looks there only.
 * A field that has the focus keeps it, because a component may mount while somebody types elsewhere. On a phone,
 * the keyboard does not cover a page that nobody has touched yet.
 */
export const useStepFocus = (step: unknown): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step.
  useEffect(() => {
    // Later, because the dialog around the form must have opened, and remembered where the focus was.
    queueMicrotask(focusStep);
  }, [step]);
};
