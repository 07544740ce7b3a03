import { initialsOf } from './initials.ts';

const TINTS = 5;

/** Computed from the name, so that a person has the same tint everywhere. */
const tintOf = (name: string): number =>
  ([...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS) + 1;

type AvatarProps = {
  name: string;
  size?: 20 | 24 | 32 | 48;
  /** Teams are square, people are round. */
  isTeam?: boolean;
};

/** Initials beside a name, which says the same to a screen reader. */
export const Avatar = ({ name, size = 24, isTeam = false }: AvatarProps) => (
  <span
    className={`avatar avatar-${size} avatar-tint-${tintOf(name)}${isTeam ? ' avatar-square' : ''}`}
    aria-hidden="true"
  >
    {initialsOf(name)}
  </span>
);
