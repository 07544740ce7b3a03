import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { findField, onTop } from './screen.ts';

/** Waits until a screen reader has been given a text: an alert, or the status line. */
export const expectAnnouncement = (text: string | RegExp, role: 'alert' | 'status' = 'alert') =>
  waitFor(() => {
    const said = onTop()
      .queryAllByRole(role)
      .map(({ textContent }) => textContent)
      .join('\n');
    if (typeof text === 'string') expect(said).to.include(text);
    else expect(said).to.match(text);
  });

/** Waits until a text is, or is no longer, on the page. */
export const expectText = (text: string | RegExp) =>
  waitFor(() => expect(onTop().queryAllByText(text)).not.to.be.empty);
export const expectNoText = (text: string | RegExp) =>
  waitFor(() => expect(onTop().queryAllByText(text)).to.be.empty);

/** Waits until a text is shown for a field, which is marked and has the focus. */
export const expectFieldError = async (label: string, text: string): Promise<void> => {
  await expectText(text);
  const field = await findField(label);
  expect(field.getAttribute('aria-invalid')).to.equal('true');
  expect(document.activeElement).to.equal(field);
};

/** Waits until no dialog is open. */
export const expectClosed = () =>
  waitFor(() => expect(document.querySelector('dialog[open]')).to.equal(null));
