import { expect } from 'chai';
import { coresAt, parseStat } from './cost.ts';

describe('benchmark cost model', () => {
  const costs = [
    { name: 'me', microseconds: [100, 50] },
    { name: 'sign-in', microseconds: [1_000, 200_000] },
  ];

  it('adds up the cores for each request type of the mix', () => {
    const [gateway = 0, auth = 0] = coresAt(1_000, costs, { me: 0.99, 'sign-in': 0.01 });
    expect(gateway).to.be.closeTo(0.109, 1e-9);
    expect(auth).to.be.closeTo(2.0495, 1e-9);
  });

  it('needs a hundred times the cores for a hundred times the rate', () => {
    const [one = 0] = coresAt(10, costs, { me: 1 });
    expect(coresAt(1_000, costs, { me: 1 })[0]).to.be.closeTo(100 * one, 1e-9);
  });
});

describe('process statistics', () => {
  it('reads parent and processor time of a process with brackets in its name', () => {
    const stat = '4242 (postgres: (a) b) S 17 4242 4242 0 -1 4194560 913 0 0 0 250 50 9 9 20 0 1 0 100';
    expect(parseStat(stat, 100)).to.deep.equal({ parent: 17, seconds: 3 });
  });
});
