import type { ReactNode } from 'react';
import { useTitle } from '../page/navigation.ts';
import { BrandPanel } from './brand-panel.tsx';
import { Foot } from './foot.tsx';
import { Product } from './product.tsx';

/** A page with one card: signing in, and what is done without being signed in. */
export const SignInCard = ({ title, children }: { title: string; children: ReactNode }) => {
  useTitle(title);
  return (
    <div className="sign-in-page">
      <BrandPanel />
      <main className="sign-in-card stack">
        <Product />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
      <Foot />
    </div>
  );
};
