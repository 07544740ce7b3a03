import { createLog } from '@platform/shared/log/log';
import { expect } from 'chai';
import { followAddresses } from './dns-refresh.ts';
import { createInstances } from './upstream-pool.ts';

const NAME = 'http://auth-service:3001';
const FIRST = 'http://10.0.0.1:3001';
const SECOND = 'http://10.0.0.2:3001';
const THIRD = 'http://10.0.0.3:3001';

const toAnswer = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });

/** Follows `urls` in a name service that the test writes; looks up when the test says so. */
const follow = async (urls: string[], addresses: string[] | Error) => {
  const nameService = { addresses, asked: [] as string[] };
  const instances = createInstances('auth-service', urls);
  const { refresh, stop } = followAddresses({
    instances,
    log: createLog({ service: 'gateway', level: 'silent' }),
    lookUp: async (hostname) => {
      nameService.asked.push(hostname);
      if (nameService.addresses instanceof Error) throw nameService.addresses;
      return nameService.addresses.map(toAnswer);
    },
  });
  stop();
  await refresh();
  const change = async (next: string[] | Error) => {
    nameService.addresses = next;
    await refresh();
  };
  return { instances, change, nameService };
};

describe('The addresses behind a name', () => {
  it('When a name has several, then each is an instance that gets its turn', async () => {
    const { instances } = await follow([NAME], ['10.0.0.2', '10.0.0.1']);
    expect(instances.urls).to.deep.equal([FIRST, SECOND]);
    expect(instances.choose().url).to.equal(FIRST);
    expect(instances.choose().url).to.equal(SECOND);
    expect(instances.choose().target).to.deep.equal({
      protocol: 'http:',
      hostname: '10.0.0.1',
      port: '3001',
    });
  });

  it('When one is added and another goes, then the next requests know it', async () => {
    const { instances, change } = await follow([NAME], ['10.0.0.1', '10.0.0.2']);
    await change(['10.0.0.2', '10.0.0.3']);
    expect(instances.urls).to.deep.equal([SECOND, THIRD]);
    expect([instances.choose().url, instances.choose().url]).to.have.members([SECOND, THIRD]);
  });

  it('When an instance stays, then so does what is known of it', async () => {
    const { instances, change } = await follow([NAME], ['10.0.0.1', '10.0.0.2']);
    instances.leaveOut(instances.choose());
    await change(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const chosen = Array.from({ length: 4 }, () => instances.choose().url);
    expect(chosen).to.have.members([SECOND, THIRD, SECOND, THIRD]);
  });

  it('When instances go while it is the turn of the last, then the turn passes on', async () => {
    const { instances, change } = await follow([NAME], ['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    instances.choose();
    instances.choose();
    await change(['10.0.0.1', '10.0.0.2']);
    expect([instances.choose().url, instances.choose().url]).to.have.members([FIRST, SECOND]);
  });

  it('When the name cannot be looked up, or has none left, then the requests go where they can', async () => {
    const { instances, change } = await follow([NAME], new Error('ENOTFOUND'));
    expect(instances.urls, 'at the start').to.deep.equal([NAME]);
    await change(['10.0.0.1', '10.0.0.2']);
    await change(new Error('EAI_AGAIN'));
    expect(instances.urls, 'later').to.deep.equal([FIRST, SECOND]);
  });

  it('When a name has a single address of each family, then each connection looks it up, as one would expect', async () => {
    const { instances } = await follow([NAME], ['::1', '127.0.0.1']);
    expect(instances.urls).to.deep.equal([NAME]);
  });

  it('When an instance has an address of both families, then it gets one turn, not two', async () => {
    const { instances, change } = await follow([NAME], ['fd00::1', 'fd00::2', '10.0.0.1', '10.0.0.2']);
    expect(instances.urls).to.deep.equal([FIRST, SECOND]);
    await change(['fd00::1', 'fd00::2']);
    expect(instances.urls).to.deep.equal(['http://[fd00::1]:3001', 'http://[fd00::2]:3001']);
  });

  it('When an address is given, then nothing is looked up', async () => {
    const urls = [FIRST, 'http://[::1]:3001'];
    const { instances, nameService } = await follow(urls, ['10.0.0.9', '10.0.0.8']);
    expect(instances.urls).to.deep.equal(urls);
    expect(nameService.asked).to.deep.equal([]);
  });
});
