import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { lazyComponent } from '../components/lazy-component.ts';
import { useSayStatus } from '../components/status.tsx';
import { forgetRemoved, readRemoved } from '../session/removed-by-proof.ts';
import { useWords } from '../words/words.ts';
import { OWN_ACCOUNT } from './words.ts';

// Few accounts have no password.
const SetPasswordDialog = lazyComponent(() => import('./set-password-dialog.tsx'), 'SetPasswordDialog');

/** The dialog that sets the first password of an account. */
export const useSetPassword = (): { open: () => void; dialog: ReactNode } => {
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: (
      <Suspense fallback={null}>{isOpen && <SetPasswordDialog onClose={() => setOpen(false)} />}</Suspense>
    ),
  };
};

/** A later release of the platform may remove more. */
const KNOWN = ['password', 'profile'];

/** Says what the sign-in that led here has removed, because it was the first proof of the address. */
export const useSayRemoved = (onSetPassword: () => void): void => {
  const words = useWords(OWN_ACCOUNT);
  const say = useSayStatus();
  const [removed] = useState(readRemoved);
  const sayRemoved = useEffectEvent(() => {
    const sentence = words.removedByProof[KNOWN.filter((what) => removed.includes(what)).join(' ')];
    if (sentence === undefined) return;
    forgetRemoved();
    say(
      <>
        {sentence}{' '}
        {removed.includes('password') && (
          <Button look="link" onClick={onSetPassword}>
            {words.setPassword}
          </Button>
        )}
      </>,
    );
  });
  useEffect(() => sayRemoved(), []);
};
