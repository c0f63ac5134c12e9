/**
 * Reads and judges N large JSON responses at the same time, as a run does: peak memory and time of a process of its own,
 * beside one that takes each whole body, JSON.parse and ajv.
 *
 *     npm run bench:large-bodies
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { itemWith } from "#libraries/judging/testing/items.ts";

const megabyte = 1_000_000;
const schema = {
  type: "object",
  required: ["items"],
  properties: {
    items: { type: "array", items: { type: "object", required: ["id"], properties: { id: { type: "integer" } } } },
  },
};

function makeBody(megabytes: number): Buffer {
  const item = (id: number) => `{"id":${id},"name":"${`a name of pet ${id}`.padEnd(80, ".")}","tags":["a","b"]}`;
  const items: string[] = [];
  for (let length = 0; length < megabytes * megabyte; length += items.at(-1)!.length + 1)
    items.push(item(items.length));
  return Buffer.from(`{"items":[${items.join(",")}]}`);
}

async function judgeOurs(url: string, count: number): Promise<void> {
  const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
  const judging = createJudging();
  const assertions = [{ source: "schema" as const, comparison: "matchesSchema" as const, target: schema }];
  const judgeOne = async () => {
    const limits = { timeoutMilliseconds: 600_000, maxRedirects: 0, maxBodyBytes: 32 * 1_048_576, sharesRoom: true };
    const sent = await egress.send({ url, method: "GET", headers: [], ...limits });
    if (sent.outcome === "failed") throw new Error(sent.failure.detail);
    const { body, bodyBytes, release } = sent.response;
    const item = { ...itemWith({ response: { body: "", bodyBytes }, assertions }), whole: body };
    const { verdict, cause } = await judging.judge({ item, operation: undefined });
    release?.();
    if (verdict !== "passed") throw new Error(cause?.detail ?? verdict);
  };
  await Promise.all(Array.from({ length: count }, judgeOne));
  judging.stop();
  await egress.close();
}

async function judgePlain(url: string, count: number): Promise<void> {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const judgeOne = async () => {
    const [response] = await once(get(url), "response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    if (!validate(JSON.parse(Buffer.concat(chunks).toString()))) throw new Error("it does not conform");
  };
  await Promise.all(Array.from({ length: count }, judgeOne));
}

const [side, url = "", count = "0"] = process.argv.slice(2);
if (side !== undefined) {
  const start = performance.now();
  const baseMegabytes = process.resourceUsage().maxRSS / 1_024;
  await (side === "ours" ? judgeOurs : judgePlain)(url, Number(count));
  const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
  const figures = [peakMegabytes - baseMegabytes, performance.now() - start].map(Math.round);
  process.stdout.write(`${figures.join(" MiB more at peak, ")} ms\n`);
} else {
  for (const megabytes of [3, 30]) {
    const body = makeBody(megabytes);
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end(body);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const number of [1, 8]) {
      for (const name of ["ours", "plain"]) {
        process.stdout.write(`${number} of ${megabytes} MB, ${name}: `);
        const program = [...process.execArgv, fileURLToPath(import.meta.url), name, target, String(number)];
        await once(spawn(process.execPath, program, { stdio: "inherit" }), "exit");
      }
    }
    server.close();
  }
}
