import { randomUUID } from 'node:crypto';
import { withRecords } from '../console/back-office-records.ts';
import type { Journey, Person } from './person.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
export const PASSKEY = 'Telefon von Käthe';

type FullAccount = { person: Person; secret: string; recoveryCodes: string[] };

/** Everything that an account can have: an app, a passkey, a provider, another device, and long words. */
export const createFullAccount = async ({
  client,
  createPerson,
}: Pick<Journey, 'client' | 'createPerson'>): Promise<FullAccount> => {
  const person = await createPerson({
    email: `${'kaethe.von.'.repeat(4)}${randomUUID().slice(0, 8)}@example.com`,
    firstName: 'Käthe',
    lastName: 'Freifrau von Donaudampfschifffahrtsgesellschaft',
  });
  const device = await client().openDevice(person);
  const { secret, recoveryCodes } = await client().enableTotp(device, person.password);
  await withRecords(async (records) => {
    await records.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name, last_used_at)
       values ($1, $2, '\\x00', 0, $3, now() - interval '2 hours')`,
      [person.id, randomUUID(), PASSKEY],
    );
    await records.query(
      `insert into identities (user_id, provider, issuer, subject, email)
       values ($1::uuid, 'company', 'https://id.example.com', $1, 'kaethe@example.com')`,
      [person.id],
    );
    await records.session(person.id, { userAgent: CHROME, refreshedAt: new Date(Date.now() - 300_000) });
  });
  return { person, secret, recoveryCodes };
};
