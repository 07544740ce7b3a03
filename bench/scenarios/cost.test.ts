import { expect } from 'chai';
import { coresAt } from './cost.ts';

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
