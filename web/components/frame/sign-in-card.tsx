import { type ReactNode, Suspense } from 'react';
import { useTitle } from '../../page/navigation.ts';
import { lazyComponent } from '../lazy-component.ts';
import { BrandPanel } from './brand-panel.tsx';
import { Foot } from './foot.tsx';
import { Product } from './product.tsx';

const InsecureAddress = lazyComponent(() => import('./insecure-address.tsx'), 'InsecureAddress');

/** Shows a screen: a page with a card, or a dialog. `warning` is a symbol above the title, where something is wrong. */
export type Frame = (title: string, content: ReactNode, warning?: ReactNode) => ReactNode;

export type SignInCardProps = {
  title: string;
  /** An element beside the product, such as the kind of account. */
  badge?: ReactNode;
  /** The symbol above the title. */
  symbol?: ReactNode;
  /** A symbol in the colours of a warning. */
  warning?: ReactNode;
  /** The first element of the foot. */
  foot?: ReactNode;
  children: ReactNode;
};

/** A page with one card: for signing in, and for what is possible without a session. */
export const SignInCard = ({ title, badge, symbol, warning, foot, children }: SignInCardProps) => {
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
        {warning && <span className="sign-in-symbol sign-in-symbol-warn">{warning}</span>}
        <h1 tabIndex={-1}>{title}</h1>
        {window.isSecureContext === false && (
          <Suspense>
            <InsecureAddress />
          </Suspense>
        )}
        {children}
      </main>
      <Foot>{foot}</Foot>
    </div>
  );
};
