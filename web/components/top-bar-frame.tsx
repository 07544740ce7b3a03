import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Foot } from './foot.tsx';
import { ErrorNotice } from './notice.tsx';
import { Product } from './product.tsx';
import { SkipLink } from './skip-link.tsx';

type FrameProps = { email: string; onSignOut: () => Promise<unknown>; children: ReactNode };

/** One column below a bar, for the account pages. */
export const TopBarFrame = ({ email, onSignOut, children }: FrameProps) => {
  const words = useWords(COMMON);
  const signOut = useAction(onSignOut);
  return (
    <>
      <SkipLink />
      <header className="top-bar">
        <Product />
        <div className="row">
          <span className="muted small">{email}</span>
          <Button isBusy={signOut.isBusy} busyLabel={words.signingOut} onClick={() => void signOut.run()}>
            {words.signOut}
          </Button>
        </div>
      </header>
      <main id="content" className="content-narrow" tabIndex={-1}>
        <ErrorNotice error={signOut.error} />
        {children}
      </main>
      <Foot />
    </>
  );
};
