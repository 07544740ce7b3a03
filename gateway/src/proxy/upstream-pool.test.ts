import { expect } from 'chai';
import { createInstances } from './upstream-pool.ts';

const URLS = ['http://127.0.0.1:1001', 'http://[::1]:1002', 'http://auth:1003'];
const NOW = 1_000_000;

const createThree = () => {
  const instances = createInstances('auth-service', URLS);
  return {
    ...instances,
    chooseUrls: (count: number, now = NOW) =>
      Array.from({ length: count }, () => instances.choose(undefined, now).url),
  };
};

describe('The instances of a service', () => {
  it('take turns', () => {
    expect(createThree().chooseUrls(4)).to.deep.equal([...URLS, URLS[0]]);
  });

  it('pass over one that failed, and take it back after a second', () => {
    const instances = createThree();
    const failed = instances.choose(undefined, NOW);
    expect(instances.leaveOut(failed, NOW)).to.equal(true);
    expect(instances.leaveOut(failed, NOW + 1)).to.equal(false);
    expect(instances.chooseUrls(4)).to.have.members([URLS[1], URLS[2], URLS[1], URLS[2]]);
    expect(instances.chooseUrls(3, NOW + 2_000)).to.have.members(URLS);
  });

  it('When an attempt failed, then the next one goes elsewhere, if there is an elsewhere', () => {
    const instances = createThree();
    const failed = instances.choose(undefined, NOW);
    for (let count = 0; count < 4; count++) expect(instances.choose(failed, NOW)).not.to.equal(failed);
    const alone = createInstances('admin-service', URLS.slice(0, 1));
    expect(alone.choose(alone.choose()).url).to.equal(URLS[0]);
  });

  it('go on being tried in turn when every one of them failed', () => {
    const instances = createThree();
    for (let count = 0; count < 3; count++) instances.leaveOut(instances.choose(undefined, NOW), NOW);
    expect(instances.chooseUrls(3)).to.have.members(URLS);
  });

  it('are named to the proxy without the brackets of an IPv6 address', () => {
    const instances = createThree();
    instances.choose(undefined, NOW);
    expect(instances.choose(undefined, NOW).target).to.deep.equal({
      protocol: 'http:',
      hostname: '::1',
      port: '1002',
    });
  });
});
