import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands in for HashiCorp Vault with the requests and responses of its published HTTP API: reading the KV secrets engine
 * version 2 (api-docs/secret/kv/kv-v2), AppRole (api-docs/auth/approle) and its status codes (api-docs, "HTTP status codes").
 */
export async function startVaultServer() {
  const secrets = new Map<string, { version: number; values: object | null }>();
  const tokens = new Map<string, { paths: RegExp; uses: number }>();
  const requests: { method: string; url: string; token: string | undefined; namespace: string | undefined }[] = [];
  let sealed = false;
  let logins = 0;
  const role = { id: "role-1", secretId: "secret-1", paths: /./, leaseSeconds: 3_600 };

  const respond = (response: ServerResponse, status: number, body: object) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const wrapped = (data: object | null, auth: object | null = null) => ({
    ...{ request_id: "8c9f6a0e-6f3b-4f41-a2a9-0d3f7b1f7a51", lease_id: "", renewable: false, lease_duration: 0 },
    ...{ data, wrap_info: null, warnings: null, auth },
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const token = headers["x-vault-token"] as string | undefined;
    requests.push({ method, url, token, namespace: headers["x-vault-namespace"] as string | undefined });
    if (sealed) return respond(response, 503, { errors: ["Vault is sealed"] });
    if (method === "POST" && url === "/v1/auth/approle/login") {
      const given = JSON.parse(Buffer.concat(chunks).toString()) as { role_id: string; secret_id: string };
      if (given.role_id !== role.id || given.secret_id !== role.secretId) {
        return respond(response, 400, { errors: ["invalid role or secret ID"] });
      }
      logins += 1;
      const issued = `hvs.approle-${logins}`;
      tokens.set(issued, { paths: role.paths, uses: 0 });
      const lease = { lease_duration: role.leaseSeconds, renewable: true, token_type: "service" };
      return respond(response, 200, wrapped(null, { client_token: issued, policies: ["default"], ...lease }));
    }
    const path = decodeURIComponent(url.replace(/^\/v1\//, ""));
    const known = token === undefined ? undefined : tokens.get(token);
    if (!known?.paths.test(path)) {
      return respond(response, 403, { errors: ["1 error occurred:\n\t* permission denied\n\n"] });
    }
    const found = secrets.get(path);
    if (!found) return respond(response, 404, { errors: [] });
    const { version, values } = found;
    const metadata = {
      ...{ created_time: "2026-03-10T07:00:00.000000000Z", custom_metadata: null, destroyed: false, version },
      deletion_time: values ? "" : "2026-03-11T07:00:00.000000000Z",
    };
    respond(response, values ? 200 : 404, wrapped({ data: values, metadata }));
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    role,
    get logins() {
      return logins;
    },
    seal(next: boolean) {
      sealed = next;
    },
    /** Permits reading paths of `<mount>/data/…`. */
    allow: (token: string, paths = /./) => void tokens.set(token, { paths, uses: 0 }),
    revoke: (token: string) => void tokens.delete(token),
    /** A new version; null deletes the newest one. */
    put(path: string, values: object | null) {
      secrets.set(path, { version: (secrets.get(path)?.version ?? 0) + 1, values });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type VaultServer = Awaited<ReturnType<typeof startVaultServer>>;
