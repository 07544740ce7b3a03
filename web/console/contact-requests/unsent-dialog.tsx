import { Button } from '../../components/button.tsx';
import { CancelButton, Dialog } from '../../components/dialogs/dialog.tsx';
import type { DialogState } from '../../components/forms/action-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { CONTACT } from './contact-words.ts';

type UnsentDialogProps = DialogState & { onSend: () => void; onDone: () => void };

/** Asks before a request is done whose reply was typed and not sent. */
export const UnsentDialog = ({ isOpen, onClose, onSend, onDone }: UnsentDialogProps) => {
  const words = useWords(CONTACT);
  return (
    <Dialog title={words.unsent} isOpen={isOpen} onClose={onClose} isWide>
      <p>{words.unsentText}</p>
      <div className="dialog-foot">
        <CancelButton onClick={onClose} />
        <Button onClick={onDone}>{words.doneWithout}</Button>
        <Button look="main" onClick={onSend}>
          {words.sendAndDone}
        </Button>
      </div>
    </Dialog>
  );
};
