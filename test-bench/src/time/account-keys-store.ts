import { toPreparationOwner } from '@platform/auth-service/accounts/account-state';
import { KIND_NAMES } from '@platform/auth-service/kinds';
import type { PendingChangeStore } from '@platform/auth-service/own-account/own-account-store';
import { toCeremonyValue } from '@platform/auth-service/webauthn/passkeys-store';
import type { createNoticeKeys } from '@platform/mailer-worker/delivery/notice-limit';
import { toPendingChangeKey } from '@platform/shared/platform/accounts/pending-email-change';
import {
  type CodeSubject,
  toAddressSubject,
  toEmailChangeSubjects,
  toNewDeviceSubject,
  toVerificationSubject,
} from '@platform/shared/platform/codes/email-code';
import { createCodeKeys } from '@platform/shared/platform/codes/email-codes-store';
import type { KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import { type KeyFamily, toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { AgedAccount } from './age.ts';

type Dependencies = {
  redis: RedisClient;
  hashes: readonly KeyedHash[];
  noticeKey: ReturnType<typeof createNoticeKeys>;
  pendingChanges: Pick<PendingChangeStore, 'find'>;
};

/** Keys with the name by which a person of tests knows them. */
type NamedKeys = Map<string, string>;

const CODES = 'createCodeKeys has all keys of a code';
const OF_PROVIDER = 'belongs to a provider’s session and to no account: the clock alone moves it';

/** How the keys of an account are found, or why the family has none. */
export const KEY_DECISIONS: Readonly<Record<KeyFamily, string>> = {
  '*:verification-code:*': CODES,
  '*:reset-password-code:*': CODES,
  '*:email-change-code:*': CODES,
  '*:sign-in-code:*': CODES,
  '*:new-device-code:*': CODES,
  '*-resend-lock:*': CODES,
  '*-sent:*': CODES,
  '*-sent-to-known-device:*': CODES,
  'email-change:*': 'by the id of the account',
  'notices:*': 'by the id and the addresses of the account',
  'reset-device:*': 'the value is the id of the account',
  'sign-in-challenge:*': 'the field `user` is the id of the account',
  'webauthn-challenge:*': 'the value is the hash of a session or a sign-in of the account',
  'oidc-authorization:*': OF_PROVIDER,
  'oidc-logout-token:*': OF_PROVIDER,
  'provider-logout:*': OF_PROVIDER,
  'bot-check:*': 'belongs to a client and to no account',
  'limit:*': 'belongs to a network, from which several accounts may come',
  'ready:*': 'belongs to a process',
  'bull:*': 'a queued mail is sent in real time; its code is aged where it is stored',
};

/** The keys of these families do not name the account. */
const SCANNED_FAMILIES = ['reset-device:*', 'sign-in-challenge:*', 'webauthn-challenge:*'] as const;
type ScannedFamily = (typeof SCANNED_FAMILIES)[number];
/** Redis has no pattern for several words, so it sends all keys with one of their first letters. */
const SCANNED = `[${SCANNED_FAMILIES.map(([letter]) => letter).join('')}]*`;

const listSubjects = (id: string, email: string): CodeSubject[] =>
  KIND_NAMES.flatMap((kind) => [
    toVerificationSubject(kind, id, email),
    toNewDeviceSubject(kind, id, email),
    toAddressSubject(kind, 'reset-password-code', email),
    toAddressSubject(kind, 'sign-in-code', email),
    ...toEmailChangeSubjects(kind, id, email),
  ]);

const addCodeKeys = (named: NamedKeys, subject: CodeSubject, hash: KeyedHash): void => {
  const { purpose } = subject;
  const { code, lock, sent } = createCodeKeys(subject, hash);
  const ofDevice = createCodeKeys({ ...subject, isFromKnownDevice: true }, hash);
  named.set(code, purpose).set(lock, `${purpose}-resend-lock`).set(sent, `${purpose}-sent`);
  named.set(ofDevice.sent, `${purpose}-sent`);
};

export const createAccountKeyStore = ({ redis, hashes, noticeKey, pendingChanges }: Dependencies) => {
  /** One scan finds all families, because each one reads every key. */
  const scan = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const found of redis.scanIterator({ MATCH: SCANNED, COUNT: 10_000 })) keys.push(...found);
    return [...new Set(keys)];
  };

  /** The keys of the family whose value belongs to the account. */
  const filterKeys = async (
    scanned: readonly string[],
    family: ScannedFamily,
    read: (key: string) => Promise<string | null | undefined>,
    isOwn: (value: string) => boolean,
  ): Promise<string[]> => {
    const keys = scanned.filter((key) => key.startsWith(toRedisKey(family)));
    const values = await Promise.all(keys.map((key) => withRedisTimeout(read(key))));
    return keys.filter((_, index) => isOwn(values[index] ?? ''));
  };

  const addChallenges = async (
    named: NamedKeys,
    account: AgedAccount,
    scanned: readonly string[],
  ): Promise<void> => {
    const family = 'sign-in-challenge:*';
    const signIns = await filterKeys(
      scanned,
      family,
      (key) => redis.hGet(key, 'user'),
      (user) => user === account.id,
    );
    const preparations = account.tokenIds.map((tokenId) => toPreparationOwner(tokenId, account));
    const values = new Set([
      ...signIns.map((key) =>
        toCeremonyValue({ purpose: 'second-step', owner: key.slice(toRedisKey(family).length) }),
      ),
      ...preparations.flatMap((owner) => [
        toCeremonyValue({ purpose: 'registration', owner }),
        toCeremonyValue({ purpose: 'confirmation', owner }),
      ]),
    ]);
    const ceremonies = await filterKeys(
      scanned,
      'webauthn-challenge:*',
      (key) => redis.get(key),
      (value) => values.has(value),
    );
    for (const key of signIns) named.set(key, 'sign-in-challenge');
    for (const key of ceremonies) named.set(key, 'passkey-challenge');
  };

  /** Finds the keys of the account that exist or may exist. Throws AppError 503 if Redis is unavailable. */
  return {
    find: async (account: AgedAccount): Promise<NamedKeys> => {
      const { id, emails } = account;
      const named: NamedKeys = new Map([[toPendingChangeKey(id), 'email-change']]);
      const pending = await pendingChanges.find(id);
      const addresses = new Set([...emails, ...(pending ? [pending.newEmail] : [])]);
      for (const email of addresses)
        for (const hash of hashes)
          for (const subject of listSubjects(id, email)) addCodeKeys(named, subject, hash);
      for (const subject of [id, ...addresses, ...[...addresses].map((to) => `wrong-kind ${to}`)])
        named.set(noticeKey({ subject }), 'notices');
      const scanned = await withRedisTimeout(scan());
      const devices = await filterKeys(
        scanned,
        'reset-device:*',
        (key) => redis.get(key),
        (user) => user === id,
      );
      for (const key of devices) named.set(key, 'reset-device');
      await addChallenges(named, account, scanned);
      return named;
    },
  };
};

export type AccountKeyStore = ReturnType<typeof createAccountKeyStore>;
