import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The process's own registry with Node's default metrics (event-loop delay, memory, garbage collection). */
export const createMetrics = (service: string) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });

  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });

  return {
    observeRequest: (method: string, route: string, status: number, seconds: number) =>
      requestSeconds.observe({ method, route, status }, seconds),
    /** A figure read when it is scraped, not pushed. */
    gauge: (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      }),
    contentType: registry.contentType,
    expose: () => registry.metrics(),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
