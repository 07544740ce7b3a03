import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Foot } from './foot.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { ErrorNotice } from './notice.tsx';
import { Product } from './product.tsx';
import { SkipLink } from './skip-link.tsx';

type FrameProps = { email: string; onSignOut: () => Promise<unknown>; children: ReactNode };

/** One column below a bar, for the account pages. */
export const TopBarFrame = ({ email, onSignOut, children }: FrameProps) => {
  const words = useWords(COMMON);
  useKeptFocus();
  const signOut = useMutation({ mutationFn: onSignOut });
  return (
    <>
      <SkipLink />
      <header className="top-bar">
        <Product />
        <div className="row">
          <span className="muted small">{email}</span>
          <Button isBusy={signOut.isPending} busyLabel={words.signingOut} onClick={() => signOut.mutate()}>
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
