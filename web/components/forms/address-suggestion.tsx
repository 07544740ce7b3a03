import { defineWords } from '../../words/define-words.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';

/** Mail providers of which most private addresses are. */
const HOSTS = `
  aol.com arcor.de bluewin.ch freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com
  hotmail.com hotmail.co.uk hotmail.de icloud.com live.com live.de mail.de mailbox.org msn.com
  outlook.com outlook.de posteo.de proton.me protonmail.com t-online.de web.de yahoo.com yahoo.co.uk yahoo.de
`
  .trim()
  .split(/\s+/);

/** Counts the letters that were left out, added, replaced or swapped with the next one. */
const countTypos = (typed: string, meant: string): number => {
  const rows = [Array.from({ length: meant.length + 1 }, (_none, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= typed.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = typed[row - 1] === meant[column - 1];
      const isSwapped = typed[row - 2] === meant[column - 1] && typed[row - 1] === meant[column - 2];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(typed.length, meant.length);
};

/** The address at a well-known host that was probably meant. Two typos in a short host would be another host. */
export const suggestAddress = (address: string): string | undefined => {
  const [, local, host = ''] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(address.toLowerCase()) ?? [];
  if (local === undefined || HOSTS.includes(host)) return undefined;
  const typos = (known: string) => countTypos(host, known);
  const [nearest = ''] = HOSTS.toSorted((one, other) => typos(one) - typos(other));
  return typos(nearest) <= (nearest.length < 8 ? 1 : 2) ? `${local}@${nearest}` : undefined;
};

const WORDS = defineWords({
  en: { didYouMean: 'Did you mean ' },
  de: { didYouMean: 'Meinten Sie ' },
});

const fillIn = (input: HTMLInputElement, address: string): void => {
  input.value = address;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
};

/** One press replaces what was typed; whoever means it ignores the question. */
export const AddressSuggestion = ({ input, typed }: { input: HTMLInputElement; typed: string }) => {
  const words = useWords(WORDS);
  const address = suggestAddress(typed);
  if (address === undefined) return null;
  return (
    <span role="status" className="muted small">
      {words.didYouMean}
      <Button look="link" onClick={() => fillIn(input, address)}>
        {address}
      </Button>
      ?
    </span>
  );
};
