import { type NextRequest, NextResponse } from 'next/server';
import { gatewayUrl } from './app/request-platform';

/**
 * The browser sees a single site, so the refresh cookie is first-party and CORS is not needed. The account pages are
 * part of it, because browsers send the cookie only to the host that set it. `rewrites` of next.config.ts would
 * keep the GATEWAY_URL of the build; this reads it when the server starts. X-Forwarded-For is forwarded unchanged.
 */
export const proxy = ({ nextUrl }: NextRequest): NextResponse =>
  NextResponse.rewrite(new URL(nextUrl.pathname + nextUrl.search, gatewayUrl));

export const config = { matcher: ['/api/v1/:path*', '/account/:path*', '/.well-known/change-password'] };
