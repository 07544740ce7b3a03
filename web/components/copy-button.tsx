import { useEffect, useState } from 'react';
import { FORM } from '../words/form.ts';
import { useWords } from '../words/words.ts';
import { CheckIcon, CopyIcon } from './form-icons.tsx';

type CopyProps = {
  text: string;
  label?: string;
  /** Shows an icon only, beside a short fact. */
  isIcon?: boolean;
};

/** Says "Copied" for two seconds; where the browser offers no clipboard, there is no button. */
export const CopyButton = ({ text, label = text, isIcon = false }: CopyProps) => {
  const words = useWords(FORM);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Browsers have no clipboard on a page without TLS.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (!clipboard) return null;
  const [start, done] = isIcon
    ? [<CopyIcon key="start" />, <CheckIcon key="done" />]
    : [words.copy, words.copied];
  const copy = () => clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      <button
        type="button"
        className={isIcon ? 'copy' : 'link small copy-link'}
        aria-label={words.copyOf(label)}
        onClick={() => void copy()}
      >
        {isCopied ? done : start}
      </button>
      <span className="visually-hidden" role="status">
        {isCopied && words.copied}
      </span>
    </>
  );
};

/** An id in full, with a button that copies it. */
export const Id = ({ id }: { id: string }) => (
  <>
    <span className="code">{id}</span> <CopyButton text={id} />
  </>
);

/** An id that is seldom read, but copied. */
export const CopyId = ({ id, label }: { id: string; label: string }) => (
  <span title={id}>
    {label} <CopyButton text={id} label={label} isIcon />
  </span>
);
