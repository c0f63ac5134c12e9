import { pino } from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { testEngines } from "../../services/kit/testing/databases.ts";
import { createRunWorld } from "../../services/test-executioner/testing/run-world.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import { parseConfiguration } from "../configuration.ts";
import { openTelemetry } from "./open-telemetry.ts";

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number; message?: string };
}
interface Exported {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string; sum?: { dataPoints: { asDouble: number }[] } }[] }[] }[];
}

const read = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );

// The packages read the variables themselves.
const collector = await startTarget((_, response) => void response.writeHead(200).end("{}"));
const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
  OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=assurance",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=trial",
  OTEL_SERVICE_NAME: "portal of the team",
};
Object.assign(process.env, environment);
const telemetry = await openTelemetry(parseConfiguration(environment), pino({ level: "silent" }));
afterAll(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  await collector.close();
});

for (const engine of testEngines()) {
  const { world, target, start, get, close } = await createRunWorld(await engine.open(), { telemetry: telemetry! });
  afterEach(() => world.settle());
  afterAll(close);

  test(`${engine.name}: a run reaches the collector as a trace by HTTP semantic conventions, with metrics and without secrets`, async () => {
    target.answer((_, response) => void response.writeHead(503).end("{}"));
    const tenant = await world.createTenant(target.baseUrl);
    const { id: testId } = await tenant.createTest({
      ...{ name: "Pays", path: "/pay" },
      request: { query: [{ name: "api_key", value: "canary7f3a9b", enabled: true }] } as never,
      retry: { attempts: 2, delayMilliseconds: 0, backoff: "fixed" },
    });
    const { id: testCircleId } = await tenant.createCircle({ members: [{ testId }], name: "Checkout" });
    const { id: runId } = await start(tenant, { source: { testCircleId } });
    const run = await get(tenant, runId);
    await telemetry!.close();

    const sent = collector.requests.map(({ url, headers, text }) => ({
      url,
      headers,
      body: JSON.parse(text) as Exported,
    }));
    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
    expect(sent.every(({ headers }) => headers["x-tenant"] === "assurance")).toBe(true);
    const resources = sent.flatMap(({ body }) => body.resourceSpans ?? []);
    expect(read(resources[0]!.resource.attributes)).toMatchObject({
      "service.name": "portal of the team",
      "deployment.environment.name": "trial",
    });
    const traceId = runId.replaceAll("-", "");
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    const [root] = spans.filter(({ parentSpanId }) => !parentSpanId);
    const [execution] = spans.filter(({ parentSpanId }) => parentSpanId === root!.spanId);
    const attempts = spans.filter(({ parentSpanId }) => parentSpanId === execution!.spanId);
    expect([root!.name, execution!.name, ...attempts.map(({ name }) => name)]).toEqual([
      ...["Checkout", "Pays", "GET /pay", "GET /pay"],
    ]);
    expect(read(root!.attributes)).toMatchObject({
      "assurance.verdict": "failed",
      "assurance.circle.id": testCircleId,
    });
    expect(execution!.status).toMatchObject({ code: 2, message: run.members.items[0]!.reason });
    const [host, port] = target.host.split(":");
    expect(read(attempts[1]!.attributes)).toMatchObject({
      "http.request.method": "GET",
      "url.full": `${target.baseUrl}/pay`,
      "url.template": "/pay",
      "server.address": host,
      "server.port": Number(port),
      "http.response.status_code": 503,
      "http.request.resend_count": 1,
      "error.type": "503",
    });
    expect(attempts[0]!.kind).toBe(3);
    for (const { startTimeUnixNano: from, endTimeUnixNano: until } of spans) {
      expect(BigInt(until) >= BigInt(from)).toBe(true);
    }
    const metrics = sent.flatMap(({ body }) =>
      (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
    );
    const values = Object.fromEntries(metrics.map(({ name, sum }) => [name, sum?.dataPoints[0]?.asDouble]));
    expect(values).toMatchObject({ "assurance.executions": 1, "assurance.runs": 1 });
    expect(Object.keys(values)).toContain("assurance.response.duration");
    expect(collector.requests.map(({ text }) => text).join()).not.toContain("canary7f3a9b");
  });
}

test("without an endpoint, or switched off, nothing is exported and no package of OpenTelemetry is loaded", async () => {
  const log = pino({ level: "silent" });
  for (const given of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" },
  ]) {
    expect(await openTelemetry(parseConfiguration(given), log)).toBeUndefined();
  }
  expect(() => parseConfiguration({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow("needs http/json");
});
