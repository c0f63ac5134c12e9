/**
 * The cost of pages: bytes of `/login`, script of a page without islands, when a first visit is visible over a slow line
 * compared with the same page fully inlined, and the time to render `/api-management/list` with 25 rows compared with React's
 * bare `renderToString` of the same markup.
 *
 * For rendering, requests pass the whole portal with services that respond from memory. Only rendering is compared: from the
 * loaded route data to the finished HTML, the same step as the peer's. The remainder of a request (origin check, session,
 * routing, loaders, headers) is printed next to it, and the peer's time up to a `Response`, where ours ends: React returns a
 * string in thousands of parts, which only the `Response` joins.
 *
 *     npm run build && npm run bench:pages
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import type { ServerBuild } from "@remix-run/node";
import { type Document, type Element, isComment, isDirective, isTag, isText } from "domhandler";
import { parseDocument } from "htmlparser2";
import { createElement, type ReactNode } from "react";
import { jsxs } from "react/jsx-runtime";
import { renderToString } from "react-dom/server";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Backend } from "../app/backend/backend.ts";
import type { createPortal } from "../app/portal.server.ts";
import { findBrowser } from "../scripts/browser.js";
import { type Caller, connectTo } from "../services/kit/client/client.ts";
import { signInForToken, startPortalProcess } from "../tests/support/portal-process.ts";
import { measureFirstPaint } from "./pages/first-paint.ts";
import { fetchCompressed, median } from "./viewer/page-cost.ts";
import { openSession, registerDocument } from "./viewer/portal-session.ts";

const rounds = 400;
const paintRounds = 7;
const museumFile = "tests/fixtures/openapi/valid/museum-v31.yaml";
const kilobyte = 1_024;

const portal = await startPortalProcess({ environment: { LOG_LEVEL: "error" } });
const failures: string[] = [];

function print(line: string) {
  process.stdout.write(`${line}\n`);
}

function hold(claim: string, value: number, limit: number, unit: string) {
  const stored = value <= limit;
  if (!stored) failures.push(claim);
  print(`${stored ? "ok  " : "OVER"} ${claim}: ${value.toFixed(2)} ${unit} (at most ${limit} ${unit})`);
}

const compressed = (content: string | Buffer) => brotliCompressSync(content).byteLength;
const gathered = (html: string, pattern: RegExp) => [...new Set([...html.matchAll(pattern)].map(([, path]) => path!))];
const asset = (path: string) => readFileSync(`build/client${path}`);

/** A script and everything that it imports statically. */
function withImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const imports = asset(path)
    .toString()
    .matchAll(/\b(?:import|from)\s*["'](\.[^"']+)["']/g);
  for (const [, imported] of imports) withImports(join(dirname(path), imported!), found);
  return found;
}

async function measureBytes() {
  const { body, bytes } = await fetchCompressed(`${portal.origin}/login`, "");
  const html = gunzipSync(body).toString();
  const entries = gathered(html, /<script[^>]+src="([^"]+)"/g);
  const scripts = [...entries.reduce((found, path) => withImports(path, found), new Set<string>())];
  const sheets = gathered(html, /<link rel="stylesheet"[^>]+href="([^"]+)"/g);
  const script = scripts.reduce((sum, path) => sum + compressed(asset(path)), 0);
  const css = sheets.reduce((sum, path) => sum + compressed(asset(path)), 0);
  print(`/login: HTML ${bytes} B, ${sheets.length} sheets ${css} B, ${scripts.length} scripts ${script} B`);
  hold("script of a page without islands", script / kilobyte, 0.8, "KB");
  hold("/login whole", (bytes + css + script) / kilobyte, 14, "KB");
  // Arrives after the text, so that it is no part of a page's first sight.
  const styles = [html, ...sheets.map((path) => asset(path).toString())];
  const faces = [...new Set(styles.flatMap((text) => gathered(text, /url\("?([^)"]+\.woff2)/g)))];
  hold("face", faces.reduce((sum, path) => sum + asset(path).byteLength, 0) / kilobyte, 30, "KB");
}

async function measureFirstPaints() {
  const { cookie, token } = await openSession(portal);
  const museum = await registerDocument(portal, token, readFileSync(museumFile, "utf8"));
  const signedIn = `${cookie}; cookiesAccepted=Y`;
  const pages = [
    { path: "/login", cookie: "" },
    { path: "/api-management/list", cookie: signedIn },
    { path: `/api-management/${museum}/swagger/operations`, cookie: signedIn },
    { path: `/api-management/${museum}/swagger/operation?method=get&path=%2Fmuseum-hours`, cookie: signedIn },
  ];
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const { path, cookie } of pages) {
      const { ours, inlined, requests } = await measureFirstPaint(browser, {
        url: portal.origin + path,
        cookie,
        rounds: paintRounds,
      });
      const name = path.replace(museum, "{apiId}").replace(/\?.*/, "");
      print(`${name}: first paint ${ours.toFixed(0)} ms, fully inlined ${inlined.toFixed(0)} ms, ${requests} requests`);
      hold(`first paint of ${name} beside the inlined page`, ours / inlined, 1.15, "×");
      if (path === "/login") hold("requests of a page without an island", requests, 5, "");
    }
  } finally {
    await browser.close();
  }
}

/** A service that is requested once over HTTP and responds from memory afterwards. */
function remembered<C extends Contract>(name: string, contract: C, results: Map<string, unknown>) {
  const connect = connectTo(contract, { baseUrl: `${portal.origin}/api/${name}` });
  return (caller: Caller) => {
    const client = connect(caller) as Record<string, (input?: unknown) => Promise<unknown>>;
    return new Proxy(client, {
      get: (target, call: string) => async (input?: unknown) => {
        const key = `${name} ${call} ${JSON.stringify(input ?? null)}`;
        if (!results.has(key)) results.set(key, await target[call]!(input));
        return results.get(key);
      },
    });
  };
}

async function registerApis(count: number) {
  const authorization = `Bearer ${await signInForToken(portal)}`;
  const document = readFileSync(museumFile, "utf8");
  for (let number = 1; number <= count; number++) {
    const response = await fetch(`${portal.origin}/api/api-registry/api/v1/apis`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: `Museum ${number}`, tags: ["museum", "tickets"], source: { document } }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}

const voidElements = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source"]);

/** The markup as JSX calls, so that the peer is one component with its elements written out. */
function getCode(node: Document["children"][number]): string[] {
  if (isText(node)) return [JSON.stringify(node.data)];
  if (isComment(node) || isDirective(node) || !isTag(node)) return [];
  return [getElementCode(node)];
}

/** Attribute names remain as in HTML, which React passes through. */
function getElementCode(node: Element): string {
  const properties = Object.entries(node.attribs).map(([name, value]) => {
    const property = name === "class" ? "className" : name === "value" && node.name === "input" ? "defaultValue" : name;
    return `${JSON.stringify(property)}:${JSON.stringify(value)}`;
  });
  const children = voidElements.has(node.name) ? [] : node.children.flatMap(getCode);
  if (children.length > 0) properties.push(`children:[${children.join(",")}]`);
  return `jsxs(${JSON.stringify(node.name)},{${properties.join(",")}})`;
}

function getBareComponent(html: string): () => ReactNode {
  const [root] = parseDocument(html.replace(/^<!DOCTYPE html>/i, "")).children.flatMap(getCode);
  return new Function("jsxs", `return () => ${root}`)(jsxs) as () => ReactNode;
}

async function measureRendering() {
  await registerApis(25);
  const build = (await import(`${process.cwd()}/build/server/index.js`)) as ServerBuild;
  const entry = build.entry.module as unknown as { createPortal: typeof createPortal };
  let rendered = 0;
  const render: typeof build.entry.module.default = (...parts) => {
    const start = performance.now();
    const response = build.entry.module.default(...parts);
    rendered = performance.now() - start;
    return response;
  };
  const results = new Map<string, unknown>();
  const services = {
    securityService: remembered("security-service", securityServiceContract, results),
    portalService: remembered("portal-service", portalServiceContract, results),
    apiRegistry: remembered("api-registry", apiRegistryContract, results),
    testRegistry: remembered("test-registry", testRegistryContract, results),
    testExecutioner: remembered("test-executioner", testExecutionerContract, results),
    testAnalyzer: remembered("test-analyzer", testAnalyzerContract, results),
  };
  const connect = (caller: Caller) =>
    Object.fromEntries(Object.entries(services).map(([name, open]) => [name, open(caller)])) as unknown as Backend;
  const result = entry.createPortal({
    build: { ...build, entry: { module: { ...build.entry.module, default: render } } },
    mode: "production",
    connect,
    actuators: () => [],
    portalToken: async () => "",
    isOutdated: () => false,
    registersByInvitation: () => false,
    secretsKey: "a key for this measurement only",
    publicUrl: undefined,
    contactAddress: "contact@portal.example.com",
    keepsMail: false,
    hintMilliseconds: 300,
    humanCheckScript: undefined,
    log: {
      error: (details, message) => print(`${message}: ${String((details as { err?: Error }).err?.stack)}`),
      warn() {},
    },
  });
  const origin = "http://127.0.0.1:3000";
  const form = new URLSearchParams({ username: portal.username, password: portal.password, redirectTo: "/dashboard" });
  const signedIn = await result(new Request(`${origin}/login`, { method: "POST", body: form, headers: { origin } }), {
    clientAddress: "127.0.0.1",
    viaTrustedProxy: false,
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const list = async () =>
    await (
      await result(new Request(`${origin}/api-management/list`, { headers: { cookie } }), {
        clientAddress: "127.0.0.1",
        viaTrustedProxy: false,
      })
    ).text();

  const html = await list();
  const rows = html.match(/<tr/g)?.length ?? 0;
  const Bare = getBareComponent(html);
  const bareMarkup = renderToString(createElement(Bare));
  print(
    `/api-management/list: ${rows - 1} rows, ${html.length} characters; bare markup ${bareMarkup.length} characters`,
  );

  const ours: number[] = [];
  const whole: number[] = [];
  const peers: number[] = [];
  const joinedPeers: number[] = [];
  // Alternating, so that load on the machine affects both; the first rounds are a warm-up.
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await list();
    const between = performance.now();
    const parts = renderToString(createElement(Bare));
    const end = performance.now();
    new Response(parts);
    const joined = performance.now();
    if (round < rounds / 4) continue;
    ours.push(rendered);
    whole.push(between - start);
    peers.push(end - between);
    joinedPeers.push(joined - between);
  }
  const [rendering, request, bareRendering] = [median(ours), median(whole), median(peers)];
  print(
    `medians: rendering ${rendering.toFixed(2)} ms, whole request ${request.toFixed(2)} ms, bare renderToString ${bareRendering.toFixed(2)} ms, up to its response ${median(joinedPeers).toFixed(2)} ms`,
  );
  hold("rendering beside bare renderToString", rendering / bareRendering, 3, "×");
}

try {
  await measureBytes();
  await measureFirstPaints();
  await measureRendering();
} finally {
  await portal.stop();
}
if (failures.length > 0) process.exitCode = 1;
