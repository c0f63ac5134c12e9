import { requestNumbers, testInput, writeDocument } from "./suite.ts";

export interface PortalClient {
  /** Registers the API with its tests; returns the API's id. */
  prepare(baseUrl: string): Promise<string>;
  /** Starts "run all" and waits until every execution has ended and is stored. Fails unless all passed. */
  runAll(apiId: string): Promise<void>;
}

export async function signIn(address: string, password: string): Promise<PortalClient> {
  async function call<Value>(method: string, path: string, body?: unknown, headers: HeadersInit = {}): Promise<Value> {
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as Value;
  }
  const signedIn = await call<{ accessToken: string }>("POST", "/security-service/auth/login", undefined, {
    username: "admin",
    password: encodeURIComponent(password),
  });
  const authorization = { authorization: `Bearer ${signedIn.accessToken}` };
  return {
    async prepare(baseUrl) {
      const source = { document: writeDocument(baseUrl), fileName: "pets.json" };
      const api = await call<{ id: string }>("POST", "/api-registry/api/v1/apis", { source }, authorization);
      for (let index = 0; index < requestNumbers.length; index += 25) {
        await Promise.all(
          requestNumbers
            .slice(index, index + 25)
            .map((number) =>
              call("POST", `/test-registry/api/v1/apis/${api.id}/tests`, testInput(number), authorization),
            ),
        );
      }
      return api.id;
    },
    async runAll(apiId) {
      const path = `/test-executioner/api/v1/apis/${apiId}/executions?wait=60`;
      const { items } = await call<{ items: { verdict: string | null }[] }>("POST", path, {}, authorization);
      const passed = items.filter(({ verdict }) => verdict === "passed").length;
      if (passed !== requestNumbers.length) throw new Error(`${passed} of ${requestNumbers.length} tests passed.`);
    },
  };
}
