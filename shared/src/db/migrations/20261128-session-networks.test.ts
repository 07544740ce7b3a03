import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { toClientSubnet } from '../../http/client-address.ts';
import * as migration from './20261128-session-networks.ts';

const ADDRESSES = [
  '192.0.2.1',
  '::ffff:192.0.2.2',
  '2001:db8::1',
  '2001:DB8:00a0:0::ffff:1',
  '2001:db8:1:2:3:4:5:6',
  'fe80::1%eth0',
  '::1',
  'no address',
];

describe('session networks migration', () => {
  let database: TestDatabase;
  let db: Knex;
  beforeEach(async () => {
    database = await createTestDatabase();
    db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const createUser = async (): Promise<string> => {
    const [user] = await db('users').insert({ email: uniqueEmail(), password_hash: 'hash' }).returning('id');
    return user.id;
  };
  const openSession = async (owner: string, address: string, network: string): Promise<string> => {
    const values = [owner, 'hash', address, address, randomUUID(), 'now', randomUUID(), 'now', network];
    const { rows } = await db.raw(`select id from open_session(${values.map(() => '?')})`, values);
    return rows[0].id;
  };
  const networksOf = (session: string): Promise<string[]> =>
    db('session_networks').where('session_id', session).orderBy('last_seen').pluck('network');

  it('gives every existing session the network of its latest address', async () => {
    await migration.down(db);
    const owner = await createUser();
    const rows = ADDRESSES.map((ip) => ({ user_id: owner, fingerprint: ip, ip }));
    const sessions = await db('sessions').insert(rows).returning('id');
    await migration.up(db);
    for (const [index, { id }] of sessions.entries())
      expect(await networksOf(id)).to.deep.equal([toClientSubnet(ADDRESSES[index] ?? '')]);
  });

  it('keeps one row for each of the newest twenty networks of a session', async () => {
    const owner = await createUser();
    const names = Array.from({ length: 25 }, (_, index) => `network ${index}`);
    let session = '';
    for (const name of [...names, 'network 10', 'network 10'])
      session = await openSession(owner, 'device', name);
    const expected = [...names.slice(5).filter((name) => name !== 'network 10'), 'network 10'];
    expect(await networksOf(session)).to.deep.equal(expected);
  });

  it('records nothing for a rejected sign-in, and removes networks with their session', async () => {
    const owner = await createUser();
    await db('users').where('id', owner).update({ is_blocked: true });
    const { rows } = await db.raw(
      `select * from open_session(?, 'hash', 'd', 'a', ?, now(), ?, now(), 'network')`,
      [owner, randomUUID(), randomUUID()],
    );
    expect(rows).to.deep.equal([]);
    await db('users').where('id', owner).update({ is_blocked: false });
    await openSession(owner, 'device', 'network');
    await db('sessions').where('user_id', owner).delete();
    expect(await db('session_networks')).to.deep.equal([]);
  });
});
