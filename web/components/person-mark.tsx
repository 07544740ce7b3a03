import { initialsOf } from './initials.ts';

/** The initials of the person who is signed in, in the brand's tint. The name stands beside it. */
export const PersonMark = ({ name, isLarge = false }: { name: string; isLarge?: boolean }) => (
  <span className={isLarge ? 'person-mark person-mark-large' : 'person-mark'} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
