import { readSession } from '@platform/client/server';
import { headers } from 'next/headers';
import { Account } from './account';
import { gatewayUrl } from './request-platform';

/** Rendered for each request, because `headers` prevents Next.js from caching the page. */
const Page = async () => {
  const initial = await readSession(await headers(), { gatewayUrl, kind: 'customer' });
  return (
    <main>
      <h1>Shop</h1>
      <Account initial={initial} />
    </main>
  );
};

export default Page;
