import { expect } from 'chai';
import { loadContract } from '../openapi-operations.ts';
import { compareWithCheckout } from './contract.ts';

describe('comparison of a published document with the checkout', () => {
  const compare = async (change: (document: Awaited<ReturnType<typeof loadContract>>) => void) => {
    const document = JSON.parse(JSON.stringify(await loadContract('admin')));
    change(document);
    return compareWithCheckout({ name: 'admin', path: '/api/v1/docs/openapi.json', document });
  };

  it('names the same content', async () => {
    expect(await compare(() => undefined)).to.match(
      /^Back-office [\d.]+: the version of this checkout, with the same/,
    );
  });

  it('names another version, and what differs', async () => {
    const older = await compare((document) => {
      document.info.version = '0.9.0';
      delete document.paths['/users/me'];
      Object.assign(document.paths, { '/new': { get: { operationId: 'getNew', responses: {} } } });
      Object.assign(document.paths['/projects']?.get ?? {}, { parameters: [] });
    });
    expect(older).to.match(/^Back-office 0\.9\.0: older than this checkout, which has [\d.]+, with /);
    expect(older).to.include(
      '1 operations only there (getNew), 1 operations only here (currentAdministrator)',
    );
    expect(older).to.include('1 different operations (listProjects)');
    const newer = await compare((document) => {
      document.info.version = '10.0.0';
    });
    expect(newer).to.match(/^Back-office 10\.0\.0: newer than .*, with other texts or unused components$/);
  });
});
