import { FORM } from '../../words/form.ts';
import { formatNumber } from '../../words/formats.ts';
import { getWords } from '../../words/words.ts';

/** Counts as the API does: code points after NFC, without spaces around the text. */
export const countCharacters = (text: string): number => [...text.trim().normalize('NFC')].length;

/** Refuses a longer text in words. The browser's `maxLength` would cut what is pasted, without a word. */
export const limitText = (
  control: HTMLInputElement | HTMLTextAreaElement | null,
  maxLength: number | undefined,
): void => {
  if (!control || maxLength === undefined) return;
  const excess = countCharacters(control.value) - maxLength;
  const { tooLong } = getWords(FORM);
  control.setCustomValidity(excess > 0 ? tooLong(formatNumber(excess), excess, formatNumber(maxLength)) : '');
};
