import type { AuditRecord } from '@platform/client';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';
import { MAILS } from '../mails/mail-words.ts';
import { NAMES, nameOf } from '../names.ts';
import { AUDIT_WORDS } from './audit-words.ts';
import { describeRecord } from './describe-record.ts';
import { SENTENCES } from './sentences.ts';

type AuditSentenceProps = {
  record: AuditRecord;
  /** On the page of this user, who is not named there. */
  aboutUserId?: string;
};

/** Who did what to whom, with links. */
export const AuditSentence = ({ record, aboutUserId }: AuditSentenceProps) => {
  const language = useLanguage();
  const words = useWords(AUDIT_WORDS);
  const { roles, projectStatus } = useWords(NAMES);
  const { names: mails } = useWords(MAILS);
  const parts = describeRecord(record, {
    sentences: SENTENCES[language],
    words,
    names: (name) => nameOf({ ...roles, ...projectStatus, ...mails }, name),
    aboutUserId,
  });
  return (
    <span className="sentence">
      {parts.map(({ text, href }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move.
        <Fragment key={index}>{href === undefined ? text : <Link href={href}>{text}</Link>}</Fragment>
      ))}
    </span>
  );
};
