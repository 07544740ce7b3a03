import type { ReactNode } from 'react';

/** Green: as it should be. Amber: waits for somebody. Red: stopped. Blue: new. Grey: over. */
export type StateLook = 'ok' | 'warn' | 'bad' | 'new' | 'off';

/** A state is a dot and a word; the colour only supports the word. */
export const State = ({ look, children }: { look: StateLook; children: ReactNode }) => (
  <span className={`state state-${look}`}>{children}</span>
);

/** A word in an outline: a role, "You" or "This device". */
export const Pill = ({ look = 'plain', children }: { look?: 'plain' | 'you'; children: ReactNode }) => (
  <span className={`badge badge-${look}`}>{children}</span>
);
