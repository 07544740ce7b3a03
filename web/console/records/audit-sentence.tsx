import type { AuditRecord } from '@platform/client';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { Address } from '../../components/address.tsx';
import { ShieldIcon } from '../../components/icons.tsx';
import { useLanguage } from '../../words/language.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { useNameOfProvider } from '../provider-names.ts';
import { SENTENCES } from './actions.ts';
import { AUDIT_WORDS } from './audit-words.ts';
import { describeInColumns, describeRecord, type Part } from './describe-record.ts';
import { MAIL_NAMES } from './mail-names.ts';

/** Stands behind the name of who acted, because anybody may choose the name of a colleague. */
export const ActorMark = ({ role, address }: Pick<Part, 'role' | 'address'>) => {
  const { roles } = useWords(NAMES);
  if (role !== undefined)
    return (
      <span
        className="sentence-actor"
        role="img"
        aria-label={nameOf(roles, role)}
        title={nameOf(roles, role)}
      >
        {' '}
        <ShieldIcon />
      </span>
    );
  return (
    address !== undefined && (
      <span className="sentence-actor">
        {' ('}
        <bdi>
          <Address of={address} />
        </bdi>
        )
      </span>
    )
  );
};

type AuditSentenceProps = {
  record: AuditRecord;
  /** The user on whose page the sentence stands, and who is not named in it. */
  aboutUserId?: string;
  /** The project or team on whose page the sentence stands. */
  aboutTargetId?: string;
};

/**
 * Collects the words and names that `describeRecord` needs. @param hasProvider whether one of them may name a
 * provider
 */
export const useDescription = (hasProvider: boolean) => {
  const language = useLanguage();
  const words = useWords(AUDIT_WORDS);
  const { roles, projectStatus } = useWords(NAMES);
  const mails = useWords(MAIL_NAMES);
  const nameOfProvider = useNameOfProvider(hasProvider);
  return {
    sentences: SENTENCES[language],
    words,
    names: (name: string) => nameOfProvider(nameOf({ ...roles, ...projectStatus, ...mails }, name)),
  };
};

const Parts = ({ parts }: { parts: readonly Part[] }) => (
  <span className="sentence">
    {parts.map(({ text, href, isName, role, address }, index) => {
      const shown = isName ? <bdi>{text}</bdi> : text;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move.
        <Fragment key={index}>
          {href === undefined ? shown : <Link href={href}>{shown}</Link>}
          <ActorMark role={role} address={address} />
        </Fragment>
      );
    })}
  </span>
);

/** The two columns of a table: who acted, and what they did. */
export const useColumns = (record: AuditRecord) => {
  const { who, what } = describeInColumns(record, useDescription('provider' in record.details));
  return { who, what: <Parts parts={what} /> };
};

/** A sentence that says who did what to whom, with links. */
export const AuditSentence = ({ record, ...about }: AuditSentenceProps) => (
  <Parts parts={describeRecord(record, { ...useDescription('provider' in record.details), ...about })} />
);
