import { useGatewayProxy } from '@platform/shared/testing/stack';
import { loadDocument } from '../documents.ts';
import { type Prism, startPrism } from './prism.ts';

// Required by Mocha before the system tests: each stack that they start is behind its own proxy. Afterwards it prints the
// violations and, as the last line, the counts of each proxy.

const errors = process.env['PRISM_ERRORS'] === 'true';
const proxies: Prism[] = [];

useGatewayProxy(async (gatewayUrl) => {
  const prism = await startPrism(await loadDocument('platform'), gatewayUrl, { errors });
  proxies.push(prism);
  return prism.url;
});

export const mochaGlobalTeardown = async (): Promise<void> => {
  await Promise.all(proxies.map((prism) => prism.stop()));
  for (const line of proxies.flatMap(({ violations }) => violations())) console.log(line);
  console.log(`proxies: ${JSON.stringify(proxies.map(({ counts }) => counts()))}`);
};
