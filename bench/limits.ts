/**
 * The promises about hostile input and about waiting times, in milliseconds and megabytes: each is measured and
 * printed with its limit. The tests verify the behaviour; durations depend on the machine, and are verified here.
 *
 *     npm run build && npm run bench:limits
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, get, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { createEgress } from "#libraries/egress/egress.ts";
import { measureResidentBytes } from "#libraries/egress/testing/memory.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { itemWith } from "#libraries/judging/testing/items.ts";
import { compilePattern } from "#libraries/pattern/pattern.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { smallDocument } from "../services/api-registry/testing/fixtures.ts";
import { readDocument } from "../services/api-registry/testing/reading.ts";
import { listen } from "../services/kit/service/listener.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { createSecurityWorld } from "../services/security-service/testing/world.ts";
import { serverProgram, startProgram } from "../tests/support/program.ts";

let broken = 0;

function print(claim: string, measured: number, limit: number, unit: "ms" | "MB"): void {
  const held = measured <= limit;
  if (!held) broken += 1;
  process.stdout.write(`${held ? "ok  " : "OVER"} ${measured.toFixed(1)} ${unit} (at most ${limit}) ${claim}\n`);
}

async function time(claim: string, limit: number, work: () => unknown): Promise<void> {
  const start = performance.now();
  await work();
  print(claim, performance.now() - start, limit, "ms");
}

async function weigh(claim: string, limit: number, work: () => Promise<unknown>): Promise<void> {
  await work();
  const before = measureResidentBytes();
  for (let round = 0; round < 5; round += 1) await work();
  print(claim, (measureResidentBytes() - before) / 1_048_576, limit, "MB");
}

async function serving<Value>(listener: RequestListener, work: (origin: string) => Promise<Value>): Promise<Value> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function measureParsing(): Promise<void> {
  await time("JSON nested 100,000 levels deep is refused (H10)", 500, () => {
    try {
      parseJson("[".repeat(100_000) + "]".repeat(100_000));
    } catch {}
  });
  await time("a pattern that makes backtracking engines hang is answered (O08)", 500, () =>
    compilePattern("^(a+)+$").test(`${"a".repeat(100_000)}b`),
  );
}

async function measureDocuments(): Promise<void> {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const getDocument = (schema: unknown, schemas: Record<string, unknown> = {}) => {
    const content = { "application/json": { schema } };
    const post = { requestBody: { content }, responses: { "200": { description: "ok", content } } };
    return JSON.stringify({ ...smallDocument(), paths: { "/a": { post } }, components: { schemas } });
  };
  const chain = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `S${index}`,
      index < 9_999 ? { allOf: [reference(`S${index + 1}`)] } : { type: "string" },
    ]),
  );
  const aliases = Array.from({ length: 12 }, (_, level) => {
    const items = Array(9).fill(level === 0 ? "x" : `*a${level - 1}`);
    return `a${level}: &a${level} [${items.join(", ")}]`;
  });
  const mergeKeys = Array.from({ length: 400 }, (_, level) => {
    const merged =
      level === 0
        ? ""
        : `, <<: [${Array(12)
            .fill(`*a${level - 1}`)
            .join(", ")}]`;
    return `a${level}: &a${level} {k${level}: 1${merged}}`;
  });
  const paths = Array.from({ length: 1e6 }, (_, index) => `"/${index}":{}`).join();
  const values = Array.from({ length: 1e6 }, (_, index) => index);
  const documents: [claim: string, limit: number, document: string][] = [
    ["a chain of 10,000 schemas is read (O02)", 2_000, getDocument(reference("S0"), chain)],
    ["a bomb of YAML aliases is refused (O03)", 1_000, aliases.join("\n")],
    ["a bomb of merge keys is refused (O04)", 2_000, mergeKeys.join("\n")],
    [
      "a million paths are refused (O06)",
      15_000,
      `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{${paths}}}`,
    ],
    ["a list of a million values is read (O06)", 15_000, getDocument({ type: "integer", enum: values })],
    ["a hostile pattern is read (O08)", 1_000, getDocument({ type: "string", pattern: "(a{1000}){1000}" })],
  ];
  for (const [claim, limit, document] of documents) await time(claim, limit, () => readDocument({ document }));
  const circle = getDocument(reference("A"), { A: { allOf: [reference("B")] }, B: { allOf: [reference("A")] } });
  await weigh("reading schemas in a circle keeps no memory (O02)", 100, () => readDocument({ document: circle }));
}

async function measureRequests(): Promise<void> {
  const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
  const send = (url: string) =>
    egress.send({ url, method: "GET", headers: [], timeoutMilliseconds: 10_000, maxRedirects: 0 });
  const chunk = Buffer.alloc(65_536, "x");
  const pour: RequestListener = (_, response) => {
    const on = () => {
      while (response.writable && response.write(chunk));
    };
    response.on("drain", on);
    on();
  };
  await serving(pour, (origin) => weigh("an endless body is cut and let go of (H01)", 30, () => send(origin)));
  const bomb = gzipSync(Buffer.alloc(200 * 1_048_576));
  const explode: RequestListener = (_, response) => response.setHeader("content-encoding", "gzip").end(bomb);
  await serving(explode, async (origin) => {
    await weigh("a 200 MB bomb is cut and let go of (H02)", 30, () => send(origin));
    await time("a 200 MB bomb is cut (H02)", 500, () => send(origin));
  });
  await egress.close();

  const closed = createEgress({ policy: { allow: [], allowLoopback: false, ownTargets: [] } });
  const medians: number[] = [];
  for (const url of [
    "http://127.0.0.1:22/",
    "http://127.0.0.1:1025/",
    "http://10.255.255.1/",
    "http://169.254.169.254/",
  ]) {
    const times: number[] = [];
    for (let index = 0; index < 201; index += 1) {
      const start = performance.now();
      await closed.send({ url, method: "GET", headers: [], timeoutMilliseconds: 10_000, maxRedirects: 0 });
      times.push(performance.now() - start);
    }
    medians.push(times.sort((one, other) => one - other)[100] as number);
  }
  await closed.close();
  print("blocked targets differ in time (S09)", Math.max(...medians) - Math.min(...medians), 2, "ms");
}

async function measureClosing(): Promise<void> {
  const here = { host: "127.0.0.1", port: 0 };
  const idle = await listen(async () => new Response("ok"), here);
  const agent = new Agent({ keepAlive: true });
  const [result] = await once(get({ host: here.host, port: idle.port, agent }), "response");
  await once(result.resume(), "end");
  await time("idle connections do not hold the close up", 300, () => idle.close());
  const silent = await listen(async () => new Response("ok"), here);
  const socket = connect(silent.port, here.host);
  await once(socket, "connect");
  await time("a client that says nothing does not hold the close up", 500, () => silent.close());
  socket.destroy();
}

async function measureJudging(): Promise<void> {
  const judging = createJudging();
  const statusCode = { source: "statusCode" as const, comparison: "equals" as const, target: 200 };
  await judging.judgeAll([{ item: itemWith({ assertions: [statusCode] }), operation: undefined }]);
  const members = Array.from({ length: 1_000_000 }, (_, index) => `"key${index}":${index}`);
  const wide = itemWith({
    response: { body: `{${members.join(",")}}` },
    assertions: [statusCode, { source: "jsonPath", property: "$.key7", comparison: "equals", target: 7 }],
  });
  await time("an answer of a million keys is told of (H10)", 3_000, () =>
    judging.judgeAll([{ item: wide, operation: undefined }]),
  );
  const costly = itemWith({
    response: { json: Array.from({ length: 60_000 }, (_, index) => ({ index })) },
    assertions: Array.from({ length: 50 }, () => ({
      source: "schema" as const,
      comparison: "matchesSchema" as const,
      target: { type: "array", uniqueItems: true },
    })),
  });
  await time("fifty evaluations without end are given up (H11)", 8_000, () =>
    judging.judgeAll([{ item: costly, operation: undefined }]),
  );
  await judging.stop();
}

async function measureHiding(): Promise<void> {
  const hiding = createHiding();
  const secrets = Array.from({ length: 50 }, () => ({ secret: randomBytes(24).toString("base64url") }));
  const body = randomBytes(786_432).toString("base64");
  const response = { status: 200, url: "https://api.example.com/", statusText: "OK", headers: [], redirects: [] };
  const attempt = {
    request: null,
    response: { ...response, httpVersion: "1.1", body, bodyBytes: 0, truncated: false },
  };
  const unhidden = { tries: [{ attempt, verifications: [] }], captured: {}, filledAssertions: [] };
  await hiding.hide(unhidden, secrets);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let round = 0; round < 5; round += 1) await hiding.hide(unhidden, secrets);
  delay.disable();
  hiding.stop();
  print("the process goes on while secrets are looked for in 1 MiB of base64 (H09)", delay.max / 1e6, 50, "ms");
}

async function measureSigningIn(): Promise<void> {
  const database = await testEngines()[0].open();
  const world = await createSecurityWorld(database);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await Promise.all(Array.from({ length: 100 }, (_, number) => world.logIn(`user${number}`, "x")));
  delay.disable();
  print("the process goes on answering while a hundred sign in (A08)", delay.max / 1e6, 200, "ms");
  await world.stop();
  await database.close();
}

async function measureSecondStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  const environment = { DATA_DIRECTORY: folder };
  const first = startProgram(serverProgram, environment);
  await first.says(/ready at/);
  await time("a second process on the same data folder is refused (D03)", 1_000, async () => {
    await startProgram(serverProgram, environment).ended;
  });
  await first.kill();
  rmSync(folder, { recursive: true, force: true });
}

await measureParsing();
await measureDocuments();
await measureRequests();
await measureClosing();
await measureJudging();
await measureHiding();
await measureSigningIn();
await measureSecondStart();
process.exit(broken === 0 ? 0 : 1);
