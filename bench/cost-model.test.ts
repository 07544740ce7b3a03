import { expect } from 'chai';
import { countInstances, findCost, type LoadCost, MIX, planCores } from './cost-model.ts';

const cost = (name: string, rate: number, ...microseconds: number[]): LoadCost => ({
  ...{ name, rate, microseconds },
});
const ME = [cost('me', 50, 300, 200, 0, 150, 0), cost('me', 1_000, 200, 100, 0, 100, 0)];
const ONLY_ME = [{ name: 'me', share: 1, service: 'auth' as const }];

describe('cost by load model', () => {
  it('uses the cost at the measured rate nearest to that of an instance', () => {
    expect(findCost(ME, 'me', 9)).to.equal(ME[0]);
    expect(findCost(ME, 'me', 950)).to.equal(ME[1]);
    expect(findCost(ME, 'me', 100_000)).to.equal(ME[1]);
    expect(() => findCost(ME, 'list', 9)).to.throw('no cost of list');
  });

  it('adds instances of each service for its share of the requests', () => {
    expect(countInstances(10, MIX)).to.deep.equal({ gateway: 1, auth: 1, admin: 1 });
    expect(countInstances(100_000, MIX)).to.deep.equal({ gateway: 100, auth: 96, admin: 5 });
  });

  it('adds up the requests and the idle time of every instance', () => {
    const idle = [1_000, 2_000, 3_000, 4_000, 5_000];
    const model = { costs: ME, idle, mix: ONLY_ME };
    const [gateway = 0, auth = 0, admin = 0, postgres = 0, redis = 0] = planCores(10_000, model);
    expect(gateway).to.be.closeTo(2 + 0.01, 1e-9);
    expect(auth).to.be.closeTo(1 + 0.02, 1e-9);
    expect(admin).to.be.closeTo(0.003, 1e-9);
    expect(postgres).to.be.closeTo(1 + 0.004, 1e-9);
    expect(redis).to.be.closeTo(0.005, 1e-9);
  });
});
