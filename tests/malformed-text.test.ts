import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { requireValue } from "../services/kit/client/client.ts";
import { startTarget, type Target } from "../services/test-executioner/testing/target.ts";
import { furnish, type RegisteredOrganization, registerOrganization } from "./support/furnished-organization.ts";
import { type HandledServices, openHandledServices } from "./support/handled-services.ts";
import { attemptsAt, type Operation, operations } from "./support/operation-attempts.ts";
import { openPayPalSandbox } from "./support/paypal-sandbox.ts";
import type { Ids } from "./support/tried-operations.ts";
import { notTried } from "./support/untried-operations.ts";

let target: Target;
let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let services: HandledServices;
let ours: RegisteredOrganization;
let ids: Ids;

beforeAll(async () => {
  target = await startTarget((_, response) => void response.end("{}"));
  sandbox = await openPayPalSandbox();
  services = await openHandledServices(sandbox.environment);
  await services.limitPlans({ members: 100, apis: 100 });
  ours = await registerOrganization(services, "Ours");
  ids = { ...(await furnish(ours.backend, target, "Ours")), ...placeholders, organizationId: ours.id };
});
afterAll(async () => {
  await services.stop();
  await Promise.all([sandbox.stop(), target.close()]);
});

/** Of resources that nothing here reads. */
const placeholders = { subscriptionId: "", paymentId: "", providerId: "", passkeyId: "" };
for (const name of Object.keys(placeholders) as (keyof typeof placeholders)[]) {
  placeholders[name] = "01900000-0000-7000-8000-000000000000";
}

const external = operations.filter(({ endpoint: { access } }) => access !== "internal");
/** Calls of agents are refused before their bodies are looked at unless they are signed: tried beside their handler. */
const withBody = external.filter(
  ({ endpoint: { body, access }, name }) => body && access !== "agent" && name !== "receivePayPalWebhook",
);

async function send({ service, endpoint: { access } }: Operation, request: Request, body?: string) {
  const token = access === "system:manage" ? await services.backend.freshToken() : await ours.backend.freshToken();
  const headers = new Headers(request.headers);
  if (access !== "public") headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const sent = new Request(request.url, { method: request.method, headers, ...(body === undefined ? {} : { body }) });
  const response = await services.ask(service, sent);
  const text = await response.text();
  const problem = response.status >= 400 ? (JSON.parse(text) as ProblemDetails) : undefined;
  return { status: response.status, problem };
}

type Path = (string | number)[];

function* listTexts(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === "string") yield path;
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield* listTexts(member, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  }
}

const written = (path: Path) =>
  path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");

function replaced(body: unknown, path: Path, text: string): string {
  const copy = structuredClone(body) as Record<string | number, unknown>;
  let parent = copy;
  for (const step of path.slice(0, -1)) parent = parent[step] as typeof copy;
  parent[path.at(-1)!] = text;
  return JSON.stringify(copy);
}

/** Of operations that organizations are not tried with. */
const otherBodies: Record<string, unknown> = {
  sendContactMessage: { name: "Ada", email: "ada@example.com", subject: "Prices", message: "How much?" },
  subscribeToStatus: { email: "ada@example.com" },
  createRegistrationRequest: { email: "ada@example.com", organizationName: "Example Ltd" },
  createAccount: { token: "x", code: "123456", fullName: "Ada", username: "ada", password: "seven quiet harbours" },
  createPlan: {
    ...{ name: "Studio", description: "For a studio", price: { value: "59.00", currency: "EUR" } },
    limits: { apis: 1, tests: 1, executionsPerMonth: 1, shortestIntervalSeconds: 60, members: 1, retentionDays: 1 },
  },
};

/** One request for each kind of body. */
function listRequests(operation: Operation): Request[] {
  const { name, endpoint, label } = operation;
  const { access, path, method } = endpoint;
  if (access !== "public" && access !== "system:manage" && !(label in notTried)) {
    return attemptsAt(operation, ids).map((attempt) => attempt.request(ids, undefined));
  }
  const url = `http://service.internal${path.replace(/\{\w+\}/g, "01900000-0000-7000-8000-000000000000")}`;
  const body = endpoint.body && JSON.stringify(otherBodies[name] ?? {});
  return [new Request(url, { method: method.toUpperCase(), ...(body ? { body } : {}) })];
}

const readBody = async (request: Request) => JSON.parse((await request.clone().text()) || "{}") as object;

test("G10: a lone surrogate in a text or a name of any body is refused with 422 at its field", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const operation of withBody) {
    for (const request of listRequests(operation)) {
      const body = await readBody(request);
      const fields = [...listTexts(body)];
      const sent = fields.map((path) => [written(path), replaced(body, path, "a\ud800b")] as const);
      const added = JSON.stringify({ ...body, "a\udc00": 1 });
      for (const [field, text] of [...sent, ["a\ufffd", added] as const]) {
        const { status, problem } = await send(operation, request, text);
        const named = problem?.errors?.find(({ path }) => path === field);
        tried += 1;
        if (status !== 422 || !named?.message.includes("a lone surrogate")) {
          wrong.push(`${operation.label} ${field}: ${status} ${JSON.stringify(problem)}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(200);
});

test("whole characters beyond the basic plane are accepted, escaped or not", async () => {
  const operation = operations.find(({ name }) => name === "changeOwnAccount")!;
  for (const fullName of ['"Ada 👩‍🚀"', '"Ada \\ud83d\\udc69"', '"Ada \\\\ud800"']) {
    const [request] = listRequests(operation);
    expect(await send(operation, request!, `{"fullName":${fullName}}`)).toMatchObject({ status: 200 });
  }
});

test("a NUL character that the database can't store is reported at its field", async () => {
  const operation = operations.find(({ name }) => name === "createMark")!;
  const [request] = listRequests(operation);
  const body = JSON.stringify({ ...(await readBody(request!)), name: "Mark \0" });
  const { status, problem } = await send(operation, request!, body);
  expect([status, problem?.errors?.map(({ path }) => path)]).toEqual([400, ["name"]]);
});

const importing = (change: object) => {
  const info = { title: "Shop", version: "1", ...change };
  return { source: { document: JSON.stringify({ openapi: "3.1.0", info, paths: {} }) } };
};

test("a document with a lone surrogate in its title or version is registered, with the reason for what is displayed", async () => {
  const { apiRegistry } = ours.backend;
  const inspected = requireValue(
    await apiRegistry.inspectDocument({ body: importing({ title: "a\ud800b" }).source }),
    "inspect",
  );
  expect(inspected.problems).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining("a lone surrogate"),
      pointer: "/info/title",
      severity: "warning",
    }),
  );
  const api = requireValue(await apiRegistry.registerApi({ body: importing({ title: "a\ud800b" }) }), "register");
  expect(api.name).toBe("a\ufffdb");
  const params = { apiId: api.id };
  const second = await apiRegistry.importDocument({ params, body: importing({ version: "\udc00" }) });
  expect(requireValue(second, "import")).toMatchObject({ version: "\ufffd" });
});

test("an API named by its document has neither a cut character nor direction controls in its name", async () => {
  const { apiRegistry } = ours.backend;
  const long = requireValue(
    await apiRegistry.registerApi({ body: importing({ title: `${"a".repeat(199)}👩` }) }),
    "long",
  );
  expect(long.name).toBe("a".repeat(199));
  const turned = requireValue(await apiRegistry.registerApi({ body: importing({ title: "Shop\u202egpj" }) }), "turned");
  expect(turned.name).toBe("Shopgpj");
});

test("no malformed text in a path or query is an internal error", async () => {
  const wrong: string[] = [];
  const reads = external.filter(({ endpoint: { method, path } }) => method === "get" && !path.endsWith("/events"));
  for (const operation of reads) {
    const { path, query } = operation.endpoint;
    const [{ url }] = listRequests(operation) as [Request];
    for (const text of ["%ED%A0%80", "%00", "%E2%80%AE", "%FF"]) {
      const addresses = Object.keys((query as { shape?: object } | undefined)?.shape ?? {}).map((name) => {
        const search = new URL(url);
        search.searchParams.delete(name);
        return `${search.href}${search.search ? "&" : "?"}${name}=${text}`;
      });
      if (path.includes("{")) addresses.push(`http://service.internal${path.replace(/\{\w+\}/g, text)}`);
      for (const address of addresses) {
        const { status } = await send(operation, new Request(address));
        if (status >= 500) wrong.push(`${operation.label} ${address}: ${status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

/** Of parts of requests and of things that exist already. */
const notDisplayed = new Set(["schemeName", "domain"]);
const isName = (path: Path) => {
  const field = path.findLast((step) => typeof step === "string")!;
  return path.length <= 4 && /^(name|title|tags?)$|Name$/.test(field) && !notDisplayed.has(field);
};

test("UTS 39: names that turn the direction of text are refused with 422 at their field", async () => {
  const wrong: string[] = [];
  const tried: string[] = [];
  for (const operation of withBody) {
    for (const request of listRequests(operation)) {
      const body = await readBody(request);
      for (const path of [...listTexts(body)].filter(isName)) {
        for (const control of ["\u202e", "\u2066"]) {
          const { status, problem } = await send(operation, request, replaced(body, path, `ab${control}c`));
          const field = written(path);
          if (status !== 422 || !problem?.errors?.some((error) => error.path === field)) {
            wrong.push(`${operation.label} ${field}: ${status} ${JSON.stringify(problem)}`);
          }
          tried.push(field);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried.length).toBeGreaterThan(50);
});
