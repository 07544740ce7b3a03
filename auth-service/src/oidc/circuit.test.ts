import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { createCircuit } from './circuit.ts';
import { providerUnavailable, responseInvalid } from './oidc.ts';

describe('circuit of a provider', () => {
  const fail = () => Promise.reject(providerUnavailable());
  const refuse = () => Promise.reject(responseInvalid());
  const createClock = () => {
    let time = 0;
    return { now: () => time, pass: (milliseconds: number) => (time += milliseconds) };
  };
  const open = async () => {
    const clock = createClock();
    const circuit = createCircuit(clock.now);
    for (const _ of [1, 2, 3]) await getRejection(circuit(fail));
    return { clock, circuit };
  };

  it('opens after three failures without a success between them', async () => {
    const circuit = createCircuit(createClock().now);
    for (const work of [fail, fail]) await getRejection(circuit(work));
    expect(await circuit(async () => 'called')).to.equal('called');
    for (const work of [fail, fail, refuse]) await getRejection(circuit(work));
    expect(await circuit(async () => 'called')).to.equal('called');
    const { circuit: opened } = await open();
    const error = await getRejection(opened(async () => 'called'));
    expect(error).to.have.deep.property('headers', { 'Retry-After': '10' });
  });

  it('lets one request try after ten seconds, and closes if it succeeds', async () => {
    const { clock, circuit } = await open();
    clock.pass(10_000);
    const trial = Promise.withResolvers<string>();
    const first = circuit(() => trial.promise);
    await getRejection(circuit(async () => 'called'));
    trial.resolve('done');
    expect(await first).to.equal('done');
    expect(await circuit(async () => 'called')).to.equal('called');
  });

  it('lets the next request try if the response of the trial is refused', async () => {
    const { clock, circuit } = await open();
    clock.pass(10_000);
    await getRejection(circuit(refuse));
    await getRejection(circuit(fail));
    const error = await getRejection(circuit(async () => 'called'));
    expect(error).to.have.deep.property('headers', { 'Retry-After': '10' });
  });

  it('stays open if the trial fails', async () => {
    const { clock, circuit } = await open();
    clock.pass(10_000);
    await getRejection(circuit(fail));
    clock.pass(9_999);
    await getRejection(circuit(async () => 'called'));
  });

  it('opens, and stays open, whatever succeeds without a request to the provider', async () => {
    const clock = createClock();
    const circuit = createCircuit(clock.now);
    const withoutRequest = () => circuit(async () => 'done', { isTrial: false });
    for (const _ of [1, 2, 3]) {
      expect(await withoutRequest()).to.equal('done');
      await getRejection(circuit(fail));
    }
    await getRejection(withoutRequest());
    clock.pass(10_000);
    expect(await withoutRequest()).to.equal('done');
    await getRejection(circuit(fail));
    await getRejection(withoutRequest());
  });
});
