import { useEffect, useEffectEvent, useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

/** Undefined in a browser without the Navigation API. */
const getNavigation = () => (window as { navigation?: Navigation }).navigation;

/** Dialogs and the steps of a sign-in have history entries with the address of the page. */
const leavesPage = ({ url, sameDocument }: NavigationDestination): boolean => {
  const { pathname, search } = new URL(url);
  // For a step to another document, the browser asks in its own words.
  return sameDocument && (pathname !== window.location.pathname || search !== window.location.search);
};

type UnsavedChangesProps = {
  hasChanges: boolean;
  /** Says what becomes of the changes. */
  text: string;
};

/** Asks before the page is left with changes: by a link, the back button, a reload or by closing the tab. */
export const UnsavedChanges = ({ hasChanges, text }: UnsavedChangesProps) => {
  const words = useWords(COMMON);
  const [leave, setLeave] = useState<() => void>();
  const [isLeaving, setLeaving] = useState(false);
  const ask = useEffectEvent((event: NavigateEvent) => {
    const { cancelable, destination, navigationType } = event;
    if (isLeaving || !cancelable || !leavesPage(destination)) return;
    event.preventDefault();
    const { key, url } = destination;
    setLeave(() => () => {
      if (navigationType === 'traverse') getNavigation()?.traverseTo(key);
      else history.pushState(null, '', url);
    });
  });
  useEffect(() => {
    if (!hasChanges) return;
    const navigation = getNavigation();
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const beforeNavigation = (event: NavigateEvent) => ask(event);
    window.addEventListener('beforeunload', beforeUnload);
    navigation?.addEventListener('navigate', beforeNavigation);
    return () => {
      window.removeEventListener('beforeunload', beforeUnload);
      navigation?.removeEventListener('navigate', beforeNavigation);
    };
  }, [hasChanges]);
  // An effect, because the dialog must close before the page is left: it returns the focus to its opener.
  useEffect(() => {
    if (isLeaving) leave?.();
  }, [isLeaving, leave]);
  const stay = () => setLeave(undefined);
  return (
    <Dialog
      title={words.leaveQuestion}
      isOpen={leave !== undefined && !isLeaving}
      onClose={stay}
      isInHistory={false}
    >
      <p>{text}</p>
      <div className="dialog-foot">
        <Button onClick={stay}>{words.stay}</Button>
        <Button look="danger" onClick={() => setLeaving(true)}>
          {words.leave}
        </Button>
      </div>
    </Dialog>
  );
};
