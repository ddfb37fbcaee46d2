// Figures for Prometheus: requests by route and status, how long they took, open streams, the process itself.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "homework_http_requests_total",
    help: "Requests answered, by method, route and status",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "homework_http_request_seconds",
    help: "Time until the answer began, by method and route",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  const streams = new Gauge({
    name: "homework_open_streams",
    help: "Live streams of server-sent events",
    registers: [registry],
  });
  return {
    observe: (method: string, route: string, status: number, ms: number) => {
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ method, route }, ms / 1_000);
    },
    render: async (openStreams: number): Promise<string> => {
      streams.set(openStreams);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
