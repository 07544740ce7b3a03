import { toLoggedPath } from '@platform/shared/http/request-logging';
import { setSpanError } from '@platform/shared/tracing/span-errors';
import { formatTraceparent, startClientSpan } from '@platform/shared/tracing/tracing';
import type { Request, Response } from 'express';

const describeTarget = (instanceUrl: string, target: string) => {
  const { hostname, port } = new URL(instanceUrl);
  return {
    'server.address': hostname,
    'server.port': Number(port),
    'url.full': instanceUrl + toLoggedPath(target),
  };
};

/** Records the forwarded request with all its attempts. The span of the service becomes its child. */
export const traceForwarding = (req: Request, res: Response): void => {
  const span = startClientSpan(req.method, req.state.trace);
  if (!span) return;
  req.headers['traceparent'] = formatTraceparent(span.spanContext());
  res.once('close', () => {
    const { instance, attempts = 1 } = req.state.proxiedRequest ?? {};
    const error = req.state.error?.code ?? (res.headersSent ? undefined : 'aborted');
    span.setAttributes({
      'http.request.method': req.method,
      ...(instance && describeTarget(instance.url, req.originalUrl)),
      ...(attempts > 1 && { 'http.request.resend_count': attempts - 1 }),
      ...(error === undefined && { 'http.response.status_code': res.statusCode }),
    });
    // A 4xx counts as an error of a client span, but not of a server span.
    if (error !== undefined || res.statusCode >= 400) setSpanError(span, error ?? String(res.statusCode));
    span.end();
  });
};
