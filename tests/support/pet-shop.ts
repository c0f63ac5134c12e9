import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Capture } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { PortalBackend } from "./portal-backend.ts";

interface PetStep {
  name: string;
  method: string;
  path: string;
  /** JSON. */
  body?: string;
  /** The expected response. */
  status: number;
  petName?: string;
  captures?: Capture[];
}

/** The requests about one pet, one test after the other; each names its step in `x-step`. */
export const petSteps: PetStep[] = [
  {
    ...{ name: "Create a pet", method: "POST", path: "/pets", body: '{"name":"Rex"}', status: 201 },
    captures: [
      { name: "petId", source: "jsonPath", property: "$.id" },
      { name: "petKey", source: "header", property: "x-pet-key", secret: true },
    ],
  },
  { name: "Read it", method: "GET", path: "/pets/{petId}", status: 200, petName: "Rex" },
  { name: "Change it", method: "PUT", path: "/pets/{petId}", body: '{"name":"Max"}', status: 200 },
  { name: "Read it changed", method: "GET", path: "/pets/{petId}", status: 200, petName: "Max" },
  { name: "Delete it", method: "DELETE", path: "/pets/{petId}", status: 204 },
  { name: "Read it gone", method: "GET", path: "/pets/{petId}", status: 404 },
];

export interface PetRequest {
  /** Index in `petSteps`. */
  step: number;
  method: string;
  url: string;
  status: number;
  /** The created pet. */
  petId?: string;
}

export const petKeyPrefix = "canary-key-of-";

/**
 * An API over HTTP in which every pet has a key, returned once and required by every later request. A request takes
 * effect at once and gets its response when the test opens its step: a caller killed in between has made the request all the same.
 */
export async function startPetShop() {
  const pets = new Map<string, { name: string } | undefined>();
  const requested: PetRequest[] = [];
  let gates: { opened: Promise<void>; open: () => void }[] = [];

  function handle(request: IncomingMessage, text: string): { status: number; body?: object; petId?: string } {
    const id = /^\/pets\/([^/]+)$/.exec(request.url!)?.[1];
    if (!id) {
      const petId = `pet-${pets.size + 1}`;
      pets.set(petId, JSON.parse(text));
      return { status: 201, body: { id: petId }, petId };
    }
    if (request.headers["x-pet-key"] !== petKeyPrefix + id) return { status: 403, body: {} };
    if (request.method === "DELETE") {
      // Repeatable: the pet is already deleted.
      pets.set(id, undefined);
      return { status: 204 };
    }
    const pet = pets.get(id);
    if (!pet) return { status: 404, body: {} };
    if (request.method === "PUT") Object.assign(pet, JSON.parse(text));
    return { status: 200, body: { id, ...pet } };
  }

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const step = Number(request.headers["x-step"]);
    const { status, body, petId } = handle(request, text);
    requested.push({ step, method: request.method!, url: request.url!, status, petId });
    await gates[step]?.opened;
    response.writeHead(status, {
      "content-type": "application/json",
      ...(petId ? { "x-pet-key": petKeyPrefix + petId } : {}),
    });
    response.end(body && JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requested,
    /** Closes all steps and forgets all requests. */
    begin() {
      requested.length = 0;
      gates = petSteps.map(() => {
        let open = () => {};
        const opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        return { opened, open };
      });
    },
    open: (step: number) => gates[step]!.open(),
    timesAsked: (step: number) => requested.filter((one) => one.step === step).length,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type PetShop = Awaited<ReturnType<typeof startPetShop>>;

/** One test per step, in order. */
export async function createPetTests({ apiRegistry, testRegistry }: PortalBackend, shop: PetShop) {
  const paths = { "/pets": { get: { responses: { 200: { description: "Pets" } } } } };
  const servers = [{ url: shop.baseUrl }];
  const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Pet shop", version: "1" }, servers, paths });
  const registered = await apiRegistry.registerApi({ body: { source: { document } } });
  const { id: apiId } = requireValue(registered, "registering");
  const tests: string[] = [];
  for (const [step, { name, method, path, body, status, captures, petName }] of petSteps.entries()) {
    const headers = [{ name: "x-step", value: String(step) }];
    if (step > 0) headers.push({ name: "x-pet-key", value: "{{petKey}}" });
    const created = await testRegistry.createTest({
      params: { apiId },
      body: {
        ...{ name, method, path, captures },
        request: {
          headers,
          pathParameters: step > 0 ? [{ name: "petId", value: "{{petId}}" }] : [],
          ...(body ? { body: { kind: "json", text: body } } : {}),
        },
        assertions: [
          { source: "statusCode", comparison: "equals", target: status },
          ...(petName
            ? [{ source: "jsonPath" as const, property: "$.name", comparison: "equals" as const, target: petName }]
            : []),
        ],
        // The maximum: responses are delayed until the test opens the step.
        timeoutMilliseconds: 120_000,
      },
    });
    tests.push(requireValue(created, "creating a test").id);
  }
  return { apiId, tests };
}
