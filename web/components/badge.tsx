import type { ReactNode } from 'react';

/** A state in words; the colour only supports it. Nothing for what is normal. */
export const Badge = ({
  look = 'plain',
  children,
}: {
  look?: 'plain' | 'bad' | 'warn' | 'ok';
  children: ReactNode;
}) => <span className={`badge badge-${look}`}>{children}</span>;
