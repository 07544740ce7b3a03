import type { AuditAction, AuditRecord } from '@platform/client';
import type { Sentences } from './actions.ts';
import type { AUDIT_WORDS } from './audit-words.ts';

type Words = (typeof AUDIT_WORDS)['en'];

/** A piece of a sentence: text, or a link to what it names. */
export type Part = {
  text: string;
  href?: string | undefined;
  /** A name or an address, which stays as it is written. */
  isName?: true;
  /** The platform role of a colleague who acted. Somebody else who acted has the address beside the name. */
  role?: string | undefined;
  address?: string | undefined;
};

/** The fields of a record that the sentences need. */
export type RecordToDescribe = Omit<AuditRecord, 'id' | 'address' | 'requestId' | 'createdAt'>;

type Options = {
  sentences: Sentences;
  words: Words;
  /** The words for a project's status, a role and a provider, by their names in the API. */
  names: (name: string) => string;
  /** The record appears on the page of this user. */
  aboutUserId?: string | undefined;
  /** The record appears on the page of this project or team. */
  aboutTargetId?: string | undefined;
};

/** A record of a later release may have an action without an entry. */
const find = <Entry>(entries: Partial<Record<AuditAction, Entry>>, action: string): Entry | undefined =>
  Object.hasOwn(entries, action) ? entries[action as AuditAction] : undefined;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The changed fields in words, such as `the title and the category`. */
const toFields = (value: unknown, { fields, and }: Words): string =>
  Array.isArray(value) ? value.map((name: string) => fields[name] ?? name).join(and) : '';

/** How somebody tried to sign in. */
const toStep = ({ step, provider }: Record<string, unknown>, { words, names }: Options): string => {
  if (typeof provider === 'string') return words.withProvider(names(provider));
  if (step === 'second-factor') return words.atSecondStep;
  return step === 'passkey' ? words.withPasskey : '';
};

/** How somebody tried to sign in, and why that failed, or why an invitation ended; older records do not tell. */
const toFailure = (details: Record<string, unknown>, options: Options): string => {
  const reason = toText(details['reason']);
  return toStep(details, options) + (reason && `: ${options.words.failures[reason] ?? reason}`);
};

type ToDetail = (details: Record<string, unknown>, options: Options) => string;
const toRole: ToDetail = ({ role }, { words, names }) => (role ? words.asRole(names(toText(role))) : '');
const toProvider: ToDetail = ({ provider }, { names }) => names(toText(provider));
const toMail: ToDetail = ({ mail }, { names }) => (mail ? `: ${names(toText(mail))}` : '');

const DETAILS: Partial<Record<AuditAction, ToDetail>> = {
  IDENTITY_LINKED: toProvider,
  IDENTITY_UNLINKED: toProvider,
  IDENTITY_USED: toProvider,
  INVITATION_ACCEPTED: toRole,
  INVITATION_REJECTED: toFailure,
  INVITATION_SENT: toRole,
  INVITATION_WITHDRAWN: toFailure,
  MAIL_DELETED: toMail,
  MAIL_RETRIED: toMail,
  PROVIDER_LOGOUT: toProvider,
  ROLE_ASSIGNED: ({ role }, { names }) => names(toText(role)),
  ROLE_REMOVED: ({ role }, { names }) => names(toText(role)),
  PROJECT_EDITED: ({ fields }, { words }) => toFields(fields, words),
  TEAM_EDITED: ({ fields }, { words }) => toFields(fields, words),
  PROJECT_STATUS_CHANGED: ({ status }, { names }) => names(toText(status)),
  SECOND_FACTOR_RESET: ({ factor }, { words }) =>
    factor === undefined ? words.allFactors : (words.factors[toText(factor)] ?? toText(factor)),
  SIGNED_IN: ({ isNewDevice }, { words }) => (isNewDevice === true ? words.onNewDevice : ''),
  SIGN_IN_FAILED: toFailure,
};

/** Changes that `npm run` makes have neither a user nor a service. */
const OF_COMMAND_LINE: readonly string[] = ['ROLE_ASSIGNED', 'ROLE_REMOVED', 'ACCOUNT_DELETED'];

const toUser = ({ id, name }: { id: string; name: string | null }, words: Words): Part => {
  const href = `/users/${id}`;
  return name === null ? { text: words.aDeletedUser, href } : { text: name, href, isName: true };
};

const toActor = (record: RecordToDescribe, words: Words): Part => {
  const { actorId, actorEmail, actorName, actorPlatformRole, details, action } = record;
  if (actorId !== null) {
    const actor = toUser({ id: actorId, name: actorName ?? actorEmail }, words);
    if (actorPlatformRole !== null) return { ...actor, role: actorPlatformRole };
    return actorName === null || actorEmail === null ? actor : { ...actor, address: actorEmail };
  }
  if (typeof details['service'] === 'string') return { text: words.service(details['service']) };
  return { text: OF_COMMAND_LINE.includes(action) ? words.commandLine : words.somebody };
};

/** The name for the initials beside a sentence; undefined for an unknown actor. */
export const nameOfActor = ({
  actorName,
  actorEmail,
  actorId,
  details,
  targetName,
}: RecordToDescribe): string | undefined => {
  if (typeof details['service'] === 'string') return details['service'];
  return actorName ?? actorEmail ?? (actorId === null ? (targetName ?? undefined) : undefined);
};

const TARGETS = {
  USER: { path: '/users', gone: 'aDeletedUser' },
  PROJECT: { path: '/projects', gone: 'aDeletedProject' },
  TEAM: { path: '/teams', gone: 'aDeletedTeam' },
  CONTACT_REQUEST: { path: '/contact-requests', gone: 'aDeletedSender' },
  INVITATION: { path: undefined, gone: 'aColleague' },
} as const;

/** The page of what a record is about; undefined without one, and for what is gone. */
export const linkOfTarget = ({
  targetType,
  targetId,
  targetName,
  action,
}: Pick<AuditRecord, 'targetType' | 'targetId' | 'targetName' | 'action'>): string | undefined => {
  const target = TARGETS[targetType as keyof typeof TARGETS] as { path: string | undefined } | undefined;
  // A deleted project has a name and no page; what is left of a deleted user has a page.
  const isGone = action === 'PROJECT_DELETED' || (targetName === null && targetType !== 'USER');
  return target?.path === undefined || targetId === null || isGone ? undefined : `${target.path}/${targetId}`;
};

const toTarget = (record: RecordToDescribe, words: Words): Part => {
  const { targetType, targetId, targetName } = record;
  if (targetType === null || targetId === null) return { text: words.anUnknownPerson };
  const target = Object.hasOwn(TARGETS, targetType) ? TARGETS[targetType as keyof typeof TARGETS] : undefined;
  if (target === undefined) return { text: targetName ?? targetId, isName: true };
  if (targetName === null && targetType !== 'USER') return { text: words[target.gone] };
  const href = linkOfTarget(record);
  return targetName === null ? { text: words[target.gone], href } : { text: targetName, href, isName: true };
};

/**
 * The user whom a record about something else concerns. A mail to an address without a user has a masked recipient,
 * which the platform deletes after a while.
 */
const toConcerned = ({ user, details, targetType, targetName }: RecordToDescribe, words: Words): Part => {
  if (user) return toUser(user, words);
  if (details['userId'] === null) return { text: words.nobody };
  const [, recipient] = targetType === 'MAIL' ? (targetName ?? '').split(' ') : [];
  return recipient ? { text: recipient, isName: true } : { text: words.anUnknownPerson };
};

const PLACEHOLDER = /\{(actor|target|targetDative|user|userDative|detail)\}/;

const toDative = (words: Words): Words => ({ ...words, ...words.dative });

const capitalize = (parts: Part[]): Part[] => {
  const [first, ...others] = parts;
  if (!first || first.isName) return parts;
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...others];
};

const chooseSentence = (record: RecordToDescribe, options: Options): string => {
  const { sentences, words, aboutUserId, aboutTargetId } = options;
  const { action, actorId, targetType, targetId } = record;
  const known = find(sentences, action);
  if (known === undefined) return words.unknownAction(action);
  const [inLog, aboutUser, toThemselves, aboutUserToThemselves] = known;
  // "Ada verified the team Blue Door" without the name.
  if (aboutTargetId !== undefined && targetId === aboutTargetId) return inLog.replace(' {target}', '');
  const userId = targetType === 'USER' ? targetId : actorId;
  const isOwn = actorId !== null && actorId === targetId;
  if (aboutUserId !== undefined && userId === aboutUserId) return isOwn ? aboutUserToThemselves : aboutUser;
  return isOwn ? toThemselves : inLog;
};

const toParts = (sentence: string, record: RecordToDescribe, options: Options): Part[] => {
  const { words } = options;
  const detail = find(DETAILS, record.action)?.(record.details, options) ?? '';
  return sentence
    .split(PLACEHOLDER)
    .map((piece, index): Part => {
      if (index % 2 === 0) return { text: piece };
      if (piece === 'detail') return { text: detail };
      if (piece === 'actor') return toActor(record, words);
      if (piece === 'user') return toConcerned(record, words);
      if (piece === 'userDative') return toConcerned(record, toDative(words));
      return toTarget(record, piece === 'target' ? words : toDative(words));
    })
    .filter(({ text }) => text !== '');
};

/** The sentence of a record, in parts. An action without a sentence is shown by its name. */
export const describeRecord = (record: RecordToDescribe, options: Options): Part[] =>
  capitalize(toParts(chooseSentence(record, options), record, options));

const STARTS_WITH_PERSON = /^\{(?:actor|target)\} /;

/** The sentence of a record for a table that has the actor in a column of its own. */
export const describeInColumns = (
  record: RecordToDescribe,
  options: Options,
): { who: Part | undefined; what: Part[] } => {
  const sentence = chooseSentence(record, options);
  const parts = toParts(sentence, record, options);
  if (!STARTS_WITH_PERSON.test(sentence)) return { who: undefined, what: capitalize(parts) };
  const [who, next, ...others] = capitalize(parts);
  return { who, what: next ? [{ ...next, text: next.text.trimStart() }, ...others] : [] };
};
