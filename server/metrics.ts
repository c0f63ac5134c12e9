import { createHash, timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Context } from "hono";
import type { RouteTable } from "#libraries/openapi/route-table.ts";
import type { Database } from "../services/kit/database/database.ts";
import { counter, DurationHistogram, type Family, gauge, renderFamilies } from "../services/kit/metrics/metrics.ts";
import { isForwarded } from "../services/kit/service/client-address.ts";
import type { RunningService } from "../services/kit/service/running-service.ts";
import type { Root } from "./http.ts";

interface MetricsOptions {
  database: Database;
  /** Unset: only peers on this machine. */
  token: string | undefined;
  /** The patterns by which requests are counted; a path without one is "unmatched". */
  routes: RouteTable;
  /** The metrics of the services. */
  collect(): Promise<Family[]>;
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const digest = (text: string) => createHash("sha256").update(text).digest();

const isLoopback = (address = "") => /^(::ffff:)?127\.|^::1$/.test(address);

/** A process on this machine, and not a proxy on it that forwards another client's request. */
function isFromThisMachine(c: Context<{ Bindings: { incoming: import("node:http").IncomingMessage } }>): boolean {
  const { incoming } = c.env;
  const name = (incoming.headers.host ?? "").replace(/:\d+$/, "");
  return (
    isLoopback(incoming.socket.remoteAddress) &&
    /^(localhost|127\.[\d.]+|\[::1\])$/.test(name) &&
    !isForwarded(c.req.raw.headers)
  );
}

/** Metrics of several services under one name form one family. */
export async function collectMetrics(tellers: Iterable<Pick<RunningService, "metrics">>): Promise<Family[]> {
  const reported = await Promise.all([...tellers].map((source) => source.metrics?.() ?? []));
  const families = new Map<string, Family>();
  for (const family of reported.flat()) {
    const known = families.get(family.name);
    if (known) known.samples.push(...family.samples);
    else families.set(family.name, { ...family, samples: [...family.samples] });
  }
  return [...families.values()];
}

/** Measures every request and serves `GET /metrics`. Must be registered before all other routes. */
export function serveMetrics(root: Root, { database, token, routes, collect }: MetricsOptions): void {
  const requests = new DurationHistogram(
    "http_request_duration_seconds",
    "Time to the first byte of the response, by route pattern.",
    bounds,
  );
  const eventLoop = monitorEventLoopDelay({ resolution: 20 });
  eventLoop.enable();

  root.use(async (c, next) => {
    const startedAt = performance.now();
    await next();
    const { method } = c.req;
    const route = routes.find(method, new URL(c.req.url).pathname)?.pattern ?? "unmatched";
    const labels = { method: knownMethods.has(method) ? method : "other", route, status: String(c.res.status) };
    requests.observe(labels, (performance.now() - startedAt) / 1_000);
  });

  root.get("/metrics", async (c) => {
    if (token) {
      const given = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
      if (!timingSafeEqual(digest(given), digest(token))) {
        return c.body(null, 401, { "www-authenticate": "Bearer" });
      }
    } else if (!isFromThisMachine(c)) return c.notFound();
    const families: Family[] = [
      requests.family(),
      ...(await collect()),
      ...databaseFamilies(database),
      ...processFamilies(),
      {
        name: "nodejs_eventloop_delay_seconds",
        type: "summary",
        help: "Delay of the event loop since the last scrape.",
        samples: [50, 99, 100].map((percent) => ({
          labels: { quantile: percent / 100 },
          value: eventLoop.percentile(percent) / 1e9,
        })),
      },
    ];
    eventLoop.reset();
    return c.body(renderFamilies(families), 200, { "content-type": contentType, "cache-control": "no-store" });
  });
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

function databaseFamilies(database: Database): Family[] {
  const figures = database.figures();
  return [
    gauge("database_connections_used", "Connections in use.", figures.connections - figures.idleConnections),
    gauge("database_connections_idle", "Connections that wait for work.", figures.idleConnections),
    gauge("database_connections_limit", "Connections at most.", figures.maximumConnections),
    gauge("database_connections_waiting", "Callers that wait for a connection.", figures.waitingForConnection),
    counter("database_statement_errors", "Statements that the database refused.", figures.statementErrors),
    counter("database_connections_lost", "Idle connections that were lost.", figures.connectionErrors),
  ];
}

function processFamilies(): Family[] {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("nodejs_heap_used_bytes", "JavaScript heap in use.", heapUsed),
    gauge("nodejs_external_memory_bytes", "Memory of buffers outside of the heap.", external),
    counter("process_cpu_seconds", "Processor time used.", (user + system) / 1e6),
    gauge("process_start_time_seconds", "When the process started.", Date.now() / 1_000 - process.uptime()),
  ];
}
