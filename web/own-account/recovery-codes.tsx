import { createContext, type ReactNode, useContext, useId, useMemo, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { CopyIcon } from '../components/form-icons.tsx';
import { UnsavedChanges } from '../components/forms/unsaved-changes.tsx';
import { saveFile } from '../page/save-file.ts';
import { getSettings } from '../page/settings.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { formatLongDate } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { DownloadIcon, PrinterIcon } from './account-icons.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Two groups of five characters are easier to type; the hyphen does not matter. */
const toGroups = (code: string): string => code.replace(/^(.{5})(?=.)/, '$1-');

type Shown = { codes: readonly string[]; onSaved: () => void };
type Codes = {
  /** @param onSaved called once the person has saved the codes */
  show: (codes: readonly string[], onSaved: () => void) => void;
  isShown: boolean;
};

const Context = createContext<Codes | undefined>(undefined);

export const useRecoveryCodes = (): Codes => {
  const codes = useContext(Context);
  if (!codes) throw new Error('There is no RecoveryCodesProvider');
  return codes;
};

const Ways = ({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const [isCopied, setCopied] = useState(false);
  // Browsers have no clipboard on a page without TLS.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  const title = words.codesFile(getSettings().productName);
  const numbered = codes.map((code, index) => `${index + 1}. ${code}`);
  const lines = [title, words.codesOf(user.email, formatLongDate(new Date())), '', ...numbered, ''];
  const copy = () =>
    clipboard?.writeText(codes.join('\n')).then(() => {
      setCopied(true);
      onSaved();
    });
  return (
    <div className="recovery-ways">
      {clipboard && (
        <Button onClick={() => void copy()}>
          <CopyIcon />
          {isCopied ? words.copied : words.copy}
        </Button>
      )}
      <Button
        onClick={() => {
          saveFile(`${title}.txt`, 'text/plain', lines.join('\n'));
          onSaved();
        }}
      >
        <DownloadIcon />
        {words.saveFile}
      </Button>
      <Button
        onClick={() => {
          window.print();
          onSaved();
        }}
      >
        <PrinterIcon />
        {words.print}
      </Button>
      <span role="status" className="visually-hidden">
        {isCopied && words.copied}
      </span>
    </div>
  );
};

/** The codes. Only this part of the page is printed, with product, account and date. */
const CodeList = ({ codes, onCopy }: { codes: readonly string[]; onCopy: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  return (
    <>
      <div className="recovery-print">
        <p className="recovery-title">{words.codesFile(getSettings().productName)}</p>
        <p>{words.codesOf(user.email, formatLongDate(new Date()))}</p>
        <p>{words.codesKeep}</p>
      </div>
      <ol className="recovery-codes" onCopy={onCopy}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </>
  );
};

/** Shows the codes once. Nothing closes the dialog before they were copied, saved or printed. */
const CodesDialog = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const [isSaved, setSaved] = useState(false);
  const hintId = useId();
  const save = () => setSaved(true);
  return (
    <Dialog title={words.codesTitle} lead={words.codesLead} isOpen isRead>
      <UnsavedChanges hasChanges={!isSaved} text={words.codesUnsaved} />
      <CodeList codes={codes} onCopy={save} />
      <Ways codes={codes} onSaved={save} />
      {!isSaved && (
        <p id={hintId} className="muted small">
          {words.saveFirst}
        </p>
      )}
      <Button
        look={isSaved ? 'main' : 'plain'}
        isWide
        isUnavailable={!isSaved}
        aria-describedby={isSaved ? undefined : hintId}
        onClick={onDone}
      >
        {words.saved}
      </Button>
    </Dialog>
  );
};

/**
 * Renders the dialog outside of the part that created the codes, such as the row of an app, which changes as soon as
 * the app is known to be on.
 */
export const RecoveryCodesProvider = ({ children }: { children: ReactNode }) => {
  const [shown, setShown] = useState<Shown>();
  const isShown = shown !== undefined;
  const value = useMemo<Codes>(
    () => ({ show: (codes, onSaved) => setShown({ codes: codes.map(toGroups), onSaved }), isShown }),
    [isShown],
  );
  return (
    <Context value={value}>
      {children}
      {shown && (
        <CodesDialog
          codes={shown.codes}
          onDone={() => {
            setShown(undefined);
            shown.onSaved();
          }}
        />
      )}
    </Context>
  );
};
