import { Product } from './product.tsx';

/** The card before its content is known, as index.html has it: what follows is new, so nothing moves. */
export const FirstPaint = () => (
  <div className="sign-in-page" aria-busy="true">
    <main className="sign-in-card">
      <div className="sign-in-head">
        <Product />
      </div>
      <span className="skeleton skeleton-title" />
      <span className="skeleton skeleton-control" />
      <span className="skeleton skeleton-control" />
      <span className="skeleton skeleton-control" />
    </main>
  </div>
);
