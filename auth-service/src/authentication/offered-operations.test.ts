import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { listOperations } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { selectOffered } from './offered-operations.ts';

describe('operations that a setting switches off', () => {
  const load = async () => {
    const complete = await loadOpenApiDocument(new URL(import.meta.resolve('@platform/openapi/auth.yaml')));
    return { complete, ...selectOffered(complete, {}, { passkeys: false, emailCodes: false }) };
  };

  it('document 404 ROUTE_NOT_FOUND with the setting', async () => {
    const { complete, document } = await load();
    const offered = new Set(listOperations('auth', document).map(({ id }) => id));
    const hidden = listOperations('auth', complete).filter(({ id }) => !offered.has(id));
    expect(hidden).not.to.be.empty;
    for (const { id, responses } of hidden)
      expect(responses['404']?.description, id).to.match(
        /`ROUTE_NOT_FOUND`: .*`(?:WEBAUTHN_RP_ID|EMAIL_CODE_SIGN_IN=off)`/,
      );
  });

  it('leave no unused component in the document', async () => {
    const { document } = await load();
    const { securitySchemes: _named, ...components } = document.components;
    const text = JSON.stringify(document);
    const unused = Object.entries(components).flatMap(([section, entries]) =>
      Object.keys(entries).filter((entry) => !text.includes(`"#/components/${section}/${entry}"`)),
    );
    expect(unused).to.deep.equal([]);
  });
});
