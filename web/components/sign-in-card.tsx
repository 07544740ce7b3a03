import './sign-in-card.css';
import type { ReactNode } from 'react';
import { useTitle } from '../page/navigation.ts';
import { BrandPanel } from './brand-panel.tsx';
import { Foot } from './foot.tsx';
import { Product } from './product.tsx';

export type SignInCardProps = {
  title: string;
  /** Beside the product, such as the kind of account. */
  badge?: ReactNode;
  /** Above the title, where something is wrong. */
  symbol?: ReactNode;
  /** First in the foot. */
  foot?: ReactNode;
  children: ReactNode;
};

/** A page with one card: signing in, and what is done without being signed in. */
export const SignInCard = ({ title, badge, symbol, foot, children }: SignInCardProps) => {
  useTitle(title);
  return (
    <div className="sign-in-page">
      <BrandPanel />
      <main className="sign-in-card">
        <div className="sign-in-head">
          <Product />
          {badge && <span className="badge">{badge}</span>}
        </div>
        {symbol && <span className="sign-in-symbol">{symbol}</span>}
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
      <Foot>{foot}</Foot>
    </div>
  );
};
