import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { nodeCommand } from '../child-process.ts';
import { respondsOk } from '../ports.ts';
import type { ProcessPlan } from '../supervisor.ts';

type CompanyProviderOptions = { port: number; gatewayUrl: string; logFile: string; env: NodeJS.ProcessEnv };

/** `settings`: the variables with which auth-service uses the provider. */
type PlannedProvider = { plan: ProcessPlan; issuer: string; settings: Record<string, string> };

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
const clientId = 'platform';

/** OIDC_PROVIDERS replaces the provider, and production does not accept an issuer without TLS. */
export const hasCompanyProvider = ({ OIDC_PROVIDERS, NODE_ENV }: NodeJS.ProcessEnv): boolean =>
  !OIDC_PROVIDERS && NODE_ENV !== 'production';

/** The process of the provider `company`, with a client secret for this run. */
export const planCompanyProvider = (options: CompanyProviderOptions): PlannedProvider => {
  const { port, gatewayUrl, logFile, env } = options;
  const issuer = `http://127.0.0.1:${port}`;
  const clientSecret = randomUUID();
  const variables = {
    OIDC_PORT: String(port),
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    BACKCHANNEL_LOGOUT_URI: `${gatewayUrl}/api/v1/auth/oidc/company/backchannel-logout`,
  };
  const plan: ProcessPlan = {
    name: 'company provider',
    command: nodeCommand(entry, { ...env, ...variables }, import.meta.dirname, logFile),
    isReady: () => respondsOk(`${issuer}/.well-known/openid-configuration`),
  };
  const settings = {
    OIDC_PROVIDERS: 'company',
    OIDC_COMPANY_ISSUER: issuer,
    OIDC_COMPANY_CLIENT_ID: clientId,
    OIDC_COMPANY_CLIENT_SECRET: clientSecret,
    OIDC_COMPANY_NAME: 'Company',
    OIDC_COMPANY_KINDS: 'customers,employees,administrators',
    OIDC_COMPANY_DOMAINS: 'example.com,example.net',
  };
  return { plan, issuer, settings };
};
