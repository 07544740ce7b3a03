import type { ReactNode } from 'react';

/** A state in words; the colour only supports it. A normal state has no badge. */
export const Badge = ({
  look = 'plain',
  children,
}: {
  look?: 'plain' | 'tint' | 'warn' | 'ok';
  children: ReactNode;
}) => <span className={`badge badge-${look}`}>{children}</span>;
