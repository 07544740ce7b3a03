import { expect } from 'chai';
import { createMetrics } from './metrics.ts';
import { registerSecretFingerprints } from './secret-fingerprints.ts';

const read = async (secrets: Parameters<typeof registerSecretFingerprints>[1]): Promise<string[]> => {
  const metrics = createMetrics('test');
  registerSecretFingerprints(metrics, secrets);
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('shared_secret{'));
};
const fingerprintsIn = (lines: string[]) =>
  lines.map((line) => /fingerprint="([0-9a-f]{8})"/.exec(line)?.[1]);

describe('fingerprints of secrets', () => {
  it('tell by name which secret signs and which only verify, and are equal in every process', async () => {
    const first = await read({ KEY: { current: 'new secret', previous: ['old secret'] } });
    expect(first).to.have.lengthOf(2);
    expect(first[0]).to.include('secret="KEY"').and.to.include('state="current"');
    expect(first[1]).to.include('state="previous"');
    const second = await read({ KEY: { current: 'old secret', previous: ['new secret'] } });
    expect(fingerprintsIn(first).reverse()).to.deep.equal(fingerprintsIn(second));
  });

  it('differ by secret and by name, and do not contain the secret', async () => {
    const secret = { current: 'deadbeef', previous: [] };
    const lines = await read({
      KEY: secret,
      OTHER_KEY: secret,
      THIRD_KEY: { ...secret, current: 'deadbee' },
    });
    expect(new Set(fingerprintsIn(lines))).to.have.property('size', 3);
    expect(lines.join()).not.to.include('deadbee');
  });
});
