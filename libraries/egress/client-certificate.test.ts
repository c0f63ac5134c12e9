import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Authority, type Certificate, createAuthority } from "./testing/certificates.ts";
import { requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, start } from "./testing/targets.ts";

let authority: Authority;
let own: Certificate;
let ours: Certificate;

beforeAll(async () => {
  authority = await createAuthority();
  own = await authority.issue("server", "IP:127.0.0.1", 30);
  ours = await authority.issue("the portal", "DNS:client.test", 30);
});

afterAll(() => authority.remove());

/** Redirects to what the query's `to` says, and notes by whose certificate it was asked; undefined without one. */
async function startAsking() {
  const displayed: (string | undefined)[] = [];
  const options = { ...own, ca: authority.ca, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (incoming, response) => {
    const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
    displayed.push(subject === undefined ? undefined : String(subject.CN));
    const to = new URL(incoming.url ?? "/", "https://asked.test").searchParams.get("to");
    if (to === null) response.end("arrived");
    else response.writeHead(307, { location: to }).end();
  });
  const { origin } = await start(server, "127.0.0.1", "https");
  return { shown: displayed, origin, to: (location: string) => `${origin}/?to=${encodeURIComponent(location)}` };
}

const withCertificate = (sendSecretsTo?: string) => ({
  tls: { ca: authority.ca, client: { certificate: ours.cert, key: ours.key } },
  maxRedirects: 5,
  // Key agreements of a loaded machine take their time.
  timeoutMilliseconds: 300_000,
  ...(sendSecretsTo ? { sendSecretsTo } : {}),
});

test("S04: a client certificate is shown within its origin and to no other", async () => {
  const [home, elsewhere] = [await startAsking(), await startAsking()];
  const egress = openEgress();
  requireResponse(await egress.send(request(home.to("/same"), withCertificate())));
  expect(home.shown).toEqual(["the portal", "the portal"]);
  requireResponse(await egress.send(request(home.to(`${elsewhere.origin}/other`), withCertificate())));
  expect(elsewhere.shown).toEqual([undefined]);
});

test("S04: a client certificate once left behind is not shown again when the chain returns", async () => {
  const [home, elsewhere] = [await startAsking(), await startAsking()];
  requireResponse(await openEgress().send(request(home.to(elsewhere.to(`${home.origin}/back`)), withCertificate())));
  expect(home.shown).toEqual(["the portal", undefined]);
  expect(elsewhere.shown).toEqual([undefined]);
});

test("L02: a client certificate bound to an origin is not shown to another, not even first, nor afterwards", async () => {
  const [home, elsewhere] = [await startAsking(), await startAsking()];
  requireResponse(await openEgress().send(request(elsewhere.to(`${home.origin}/`), withCertificate(home.origin))));
  expect([elsewhere.shown, home.shown]).toEqual([[undefined], [undefined]]);
});
