/**
 * Runs alone in a network namespace where every address is local: public and private ones all end at one server, which
 * records the address each connection was made to. Sends requests through each door of the product under the
 * production policy, and prints what was connected to as one line of JSON.
 */

import { createServer } from "node:http";
import { pino } from "pino";
import { createEgress, type Egress, type Resolver } from "#libraries/egress/egress.ts";
import { fetchChangedDocument } from "#libraries/egress/fetch-document.ts";
import { runTest } from "#libraries/running/run-test.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import { createParts, toRun } from "#libraries/running/testing/parts.ts";
import { createVaultReader } from "#libraries/vault-kv/vault-kv.ts";
import { defaultImportLimits } from "../../services/api-registry/domain/limits.ts";
import { createImporter } from "../../services/api-registry/jobs/importer.ts";
import { systemClock } from "../../services/kit/clock/clock.ts";
import { createVault } from "../../services/kit/vault/vault.ts";
import { createLookForProof } from "../../services/security-service/domain-proof/look-for-proof.ts";
import { createProviderCheck } from "../../services/security-service/human-check/provider-check.ts";
import { createOpenIdProvider } from "../../services/security-service/single-sign-on/provider.ts";
import { type AlertSenderParts, createAlertSender } from "../../services/test-analyzer/jobs/alert-sender.ts";
import { createChannelSecrets } from "../../services/test-analyzer/jobs/channel-secrets.ts";
import { type DoorName, privateTargets } from "./doors.ts";

const publicAddress = "93.184.216.34";
const base = "http://door.test";
/** Only documents and metadata of `door.test` name this host. */
const second = "http://second.test";
const log = pino({ level: "silent" });
const organizationId = "one organization";

const connected: string[] = [];
const requested: string[] = [];
let redirectTo = "";

const openIdMetadata = {
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${second}/token`,
  jwks_uri: `${second}/keys`,
  response_types_supported: ["code"],
  id_token_signing_alg_values_supported: ["RS256"],
};
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Its claims are right, so that its signature is what remains to be verified. */
function createIdToken(): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: base, aud: "client", sub: "ada", nonce: "nonce", iat: now, exp: now + 300 };
  return `${base64({ alg: "RS256", kid: "1" })}.${base64(claims)}.${base64("no signature")}`;
}
const document = {
  openapi: "3.0.3",
  info: { title: "Doors", version: "1" },
  paths: { "/pets": { get: { responses: { 200: { $ref: `${second}/parts.json#/ok` } } } } },
};
const bodies: Record<string, () => unknown> = {
  "/.well-known/openid-configuration": () => openIdMetadata,
  "/token": () => ({ access_token: "token", token_type: "Bearer", expires_in: 300, id_token: createIdToken() }),
  "/keys": () => ({ keys: [] }),
  "/openapi.json": () => document,
  "/parts.json": () => ({ ok: { description: "ok" } }),
};

async function listen(port: number, host: string) {
  const server = createServer((request, response) => {
    const host = request.headers.host ?? "";
    requested.push(`${host}${request.url}`);
    // Every request needs another connection, and so another lookup.
    response.setHeader("connection", "close");
    // What leads to a second host stays, so that the request to that host is redirected.
    if (redirectTo !== "" && !isLead(request.url ?? "")) response.writeHead(307, { location: redirectTo });
    else response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(bodies[request.url ?? ""]?.() ?? {}));
  });
  server.on("connection", (socket) => connected.push(socket.localAddress ?? ""));
  await new Promise<void>((resolve) => server.listen({ port, host, ipv6Only: host === "::" }, resolve));
  return server;
}
let leads: readonly string[] = [];
const isLead = (path: string) => leads.includes(path);

const importer = (egress: Egress) => createImporter({ egress, limits: defaultImportLimits, log, staging: {} as never });
async function importFrom(egress: Egress): Promise<void> {
  const opened = importer(egress);
  const session = await opened.open(
    new Request("http://api-registry", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: { url: `${base}/openapi.json` } }),
    }),
    organizationId,
  );
  session.release();
}

const provider = { organizationId, issuer: base, clientId: "client", clientSecret: "secret", rolesClaim: "" };
const openProvider = (egress: Egress) =>
  createOpenIdProvider({ egress, redirectUri: () => "https://portal.test/return" });
const finishSignOn = (egress: Egress) =>
  openProvider(egress).finish(
    provider,
    { state: "state", nonce: "nonce", codeVerifier: "v".repeat(43) },
    "code=1&state=state",
  );

async function sendAlert(egress: Egress): Promise<void> {
  const none = async () => {};
  const stubs = { queue: { declare: none }, db: { transaction: () => ({ execute: none }) }, mail: {} };
  const sender = await createAlertSender({
    ...(stubs as unknown as Pick<AlertSenderParts, "queue" | "db" | "mail">),
    ...{ egress, clock: systemClock, log, work: false, portalOrigin: () => "https://portal.test" },
    secrets: createChannelSecrets(createVault("a key for tests")),
  } as AlertSenderParts);
  const message = {
    kind: "trial",
    title: "A trial",
    at: new Date().toISOString(),
    severity: null,
    incidents: [],
    more: 0,
  };
  const channel = {
    ...{ id: "1", organization_id: organizationId, name: "Hook", kind: "webhook", url: `${base}/hook`, settings: {} },
    ...{
      sealed_url: null,
      sealed_key: null,
      sealed_secret: null,
      sealed_previous_secret: null,
      previous_secret_until: null,
    },
  };
  await sender.sendNow(
    { id: "2", organization_id: organizationId, message, tries: 0, incident_ids: [] } as never,
    channel as never,
  );
}

/** Each opens its own door, so that nothing is cached. */
const doors: Record<DoorName, { use(egress: Egress): Promise<unknown>; leads?: string[] }> = {
  "a document from an address": { use: importFrom, leads: [] },
  "a reference to another file": { use: importFrom, leads: ["/openapi.json"] },
  "a watched document": {
    use: (egress) =>
      fetchChangedDocument(egress, `${base}/openapi.json`, {
        ...{ maxBytes: 1_000_000, pool: organizationId },
        known: { etag: '"1"', lastModified: null },
      }),
  },
  "a test": {
    use: (egress) =>
      runTest(
        { ...createParts([]).parts, egress },
        toRun({ request: { ...toRun({}).test.request, followRedirects: true } }, { baseUrls: [base] }),
        { signal: new AbortController().signal },
      ),
  },
  "a token of OAuth 2.0": {
    use: (egress) =>
      createAccessTokens({ egress, clock: systemClock }).require(organizationId, {
        ...{ id: "1", name: "Client", type: "oauth2ClientCredentials" as never, secret: "secret" },
        settings: { tokenUrl: `${base}/token`, clientId: "client" } as never,
      }),
  },
  "an alert's webhook": { use: sendAlert },
  "discovery of single sign-on": { use: (egress) => openProvider(egress).check(provider) },
  "a token of single sign-on": { use: finishSignOn, leads: ["/.well-known/openid-configuration"] },
  "keys of single sign-on": { use: finishSignOn, leads: ["/.well-known/openid-configuration", "/token"] },
  "a domain's proof": {
    use: (egress) =>
      createLookForProof({ egress, findTexts: async () => [] })({
        ...{ organization_id: organizationId, name: "door.test", token: "token", method: "wellKnown" },
      }),
  },
  "a secret in Vault": {
    use: (egress) =>
      createVaultReader({ egress }).read(
        { address: base, namespace: "", mount: "secret", authentication: { kind: "token", token: "t" }, pool: "1" },
        { path: "a", key: "b" },
      ),
  },
  "the check of visitors": {
    use: (egress) =>
      createProviderCheck({
        provider: { siteKey: "site", secret: "secret", scriptUrl: `${base}/api.js`, verifyUrl: `${base}/verify` },
        ...{ egress, log },
      }).judge("token", undefined),
  },
};

const isPrivate = (host: string) => host === "private.test" || host === "localhost";
const toPublic: Resolver = async () => [{ address: publicAddress, family: 4 }];

async function through(door: (typeof doors)[DoorName], resolve: Resolver, times = 1) {
  connected.length = 0;
  requested.length = 0;
  let lookups = 0;
  const egress = createEgress({
    policy: { allow: [], allowLoopback: false, ownTargets: [] },
    resolve: (name) => {
      lookups += 1;
      return resolve(name);
    },
  });
  // How a door reports a refusal is tested beside it.
  for (let time = 0; time < times; time += 1) await door.use(egress).catch(() => {});
  await egress.close();
  return { connected: [...new Set(connected)], requests: requested.length, lookups };
}

const servers = await Promise.all([80, 443].flatMap((port) => ["0.0.0.0", "::"].map((host) => listen(port, host))));
const report: Record<string, unknown> = {};
for (const [name, door] of Object.entries(doors)) {
  leads = door.leads ?? [];
  redirectTo = "";
  const control = await through(door, toPublic);
  const seen = new Map<string, number>();
  const rebinding = await through(
    door,
    async (host) => {
      const count = (seen.get(host) ?? 0) + 1;
      seen.set(host, count);
      return [{ address: count === 1 ? publicAddress : "127.0.0.1", family: 4 }];
    },
    3,
  );
  const redirected: Record<string, unknown> = {};
  for (const target of privateTargets) {
    redirectTo = target;
    redirected[target] = await through(door, async (host) =>
      isPrivate(host) ? [{ address: "10.0.0.1", family: 4 }] : toPublic(host),
    );
  }
  report[name] = { control, rebinding, redirected };
}
for (const server of servers) server.closeAllConnections();
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
