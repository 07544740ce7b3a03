import { expect } from 'chai';
import { parseDocument, stringify, YAMLMap } from 'yaml';
import { expandKinds } from './join-features.ts';

const PLACEHOLDERS = {
  '/{kind}/': { customer: '/customers/auth/', administrator: '/auth/admin/' },
  '{kind}': { customer: 'customer', administrator: 'administrator' },
  '{Role}': { customer: 'Customer', administrator: 'Admin' },
};

/** Returns the expanded paths or components of a section as YAML. */
const expand = (section: string): string => {
  const joined = new YAMLMap();
  for (const entry of expandKinds(parseDocument(section).contents as never, PLACEHOLDERS)) joined.add(entry);
  return stringify(joined, { singleQuote: true });
};

describe('contract of every kind of account', () => {
  it('has a path, an operation and words for each kind', () => {
    const section = `
/{kind}/sign-in:
  # A comment.
  post:
    operationId: signIn
    security: [{ '{kind}Access': [] }]
    requestBody: { $ref: '#/components/requestBodies/{Role}SignInDto' }
/auth/me:
  get: { operationId: universalMe }
`;
    expect(expand(section)).to.equal(`/customers/auth/sign-in:
  # A comment.
  post:
    operationId: customerSignIn
    x-operation: signIn
    x-kind: customer
    security: [ { customerAccess: [] } ]
    requestBody: { $ref: '#/components/requestBodies/CustomerSignInDto' }
/auth/admin/sign-in:
  # A comment.
  post:
    operationId: administratorSignIn
    x-operation: signIn
    x-kind: administrator
    security: [ { administratorAccess: [] } ]
    requestBody: { $ref: '#/components/requestBodies/AdminSignInDto' }
/auth/me:
  get: { operationId: universalMe }
`);
  });

  it('adds and replaces the entries that differ for one kind', () => {
    const section = `
'{Role}Dto':
  required: [user]
  properties:
    profile: { $ref: '#/profile' }
    x-administrator: { profile: { type: 'null' }, platformRole: { type: string } }
    user: { type: string, x-customer: { example: Ada } }
`;
    expect(expand(section)).to.equal(`CustomerDto:
  required: [ user ]
  properties:
    profile: { $ref: '#/profile' }
    user: { type: string, example: Ada }
AdminDto:
  required: [ user ]
  properties:
    profile: { type: 'null' }
    platformRole: { type: string }
    user: { type: string }
`);
  });

  it('lacks the operations and components of other kinds', () => {
    const section = `
/{kind}/sign-up:
  post: { operationId: signUp, x-kinds: [customer] }
/{kind}/account:
  get: { operationId: open }
  delete: { operationId: close, x-kinds: [customer] }
`;
    expect(expand(section)).to.equal(`/customers/auth/sign-up:
  post: { operationId: customerSignUp, x-operation: signUp, x-kind: customer }
/customers/auth/account:
  get: { operationId: customerOpen, x-operation: open, x-kind: customer }
  delete: { operationId: customerClose, x-operation: close, x-kind: customer }
/auth/admin/account:
  get: { operationId: administratorOpen, x-operation: open, x-kind: administrator }
`);
  });
});
