import { createServer } from "node:https";
import type { TlsOptions } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { AllowedTarget } from "./egress.ts";
import { type Authority, createAuthority } from "./testing/certificates.ts";
import { requireFailureAfter400, within400 } from "./testing/deadlines.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, resolveNames, start, startHttpTarget, startRawTarget } from "./testing/targets.ts";

let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority();
});

afterAll(() => authority.remove());

/** An HTTPS server that reports the requested server name and Host, and an egress that resolves `api.test` to it. */
async function startSecure(options: TlsOptions) {
  const seen: { servername: unknown; host: string | undefined }[] = [];
  const server = createServer(options, (incoming, outgoing) => {
    seen.push({
      servername: "servername" in incoming.socket ? incoming.socket.servername : undefined,
      host: incoming.headers.host,
    });
    outgoing.end("secret place");
  });
  const target = await start(server, "127.0.0.1", "https");
  const allow: AllowedTarget[] = [{ kind: "name", name: "api.test", port: target.port }];
  const egress = openEgress({ allow, resolve: resolveNames({ "api.test": ["127.0.0.1"] }).resolve });
  return { ...target, seen, egress, named: `https://api.test:${target.port}/` };
}

const trusted = () => ({ tls: { ca: authority.ca } });

test("S05: the checked address is dialled, with the original name in SNI and Host, and the certificate checked against it", async () => {
  const target = await startSecure(await authority.issue("api.test", "DNS:api.test", 30));
  const response = requireResponse(await target.egress.send(request(target.named, trusted())));
  expect(readText(response)).toBe("secret place");
  expect(target.seen).toEqual([{ servername: "api.test", host: `api.test:${target.port}` }]);
  expect(response.tls).toMatchObject({
    protocol: "TLSv1.3",
    cipher: "TLS_AES_256_GCM_SHA384",
    subject: "O=Example, CN=api.test",
    issuer: "O=Test, CN=Test Authority",
    authorized: true,
    daysLeft: 29,
  });
  expect(response.tls?.validTo).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  expect(response.tls?.fingerprint256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  expect(response.phases.tls).toBeGreaterThan(0);
});

test("a reused TLS connection has no handshake time and the same certificate", async () => {
  const target = await startSecure(await authority.issue("api.test", "DNS:api.test", 30));
  const first = requireResponse(await target.egress.send(request(target.named, trusted())));
  const second = requireResponse(await target.egress.send(request(target.named, trusted())));
  expect(second.phases).toMatchObject({ dns: 0, connect: 0, tls: 0 });
  expect(second.tls).toEqual(first.tls);
  expect(target.connections()).toBe(1);
});

test("S05: an address has no SNI and needs a certificate for the address", async () => {
  const good = await startSecure(await authority.issue("address", "IP:127.0.0.1", 30));
  requireResponse(await good.egress.send(request(good.origin, trusted())));
  expect(good.seen).toEqual([{ servername: false, host: `127.0.0.1:${good.port}` }]);
  const named = await startSecure(await authority.issue("api.test", "DNS:api.test", 30));
  const failure = requireFailure(await named.egress.send(request(named.origin, trusted())));
  expect(failure).toMatchObject({
    code: "tls_failed",
    phase: "tls",
    detail: expect.stringContaining("another host name"),
  });
});

test("H06: each certificate error is refused with its own reason, and nothing is sent", async () => {
  const invalidCertificates: [string, TlsOptions, RegExp][] = [
    ["wrong host", await authority.issue("other.test", "DNS:other.test", 30), /another host name/],
    ["expired", await authority.issue("api.test", "DNS:api.test", -1), /expired/],
    ["self-signed", await authority.selfSign("api.test"), /self-signed/],
    [
      "TLS 1.1",
      {
        ...(await authority.issue("api.test", "DNS:api.test", 30)),
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "ALL@SECLEVEL=0",
      },
      /TLS 1\.2/,
    ],
  ];
  for (const [name, options, reason] of invalidCertificates) {
    const target = await startSecure(options);
    const failure = requireFailure(await target.egress.send(request(target.named, trusted())));
    expect([name, failure.code, failure.phase]).toEqual([name, "tls_failed", "tls"]);
    expect(failure.detail).toMatch(reason);
    expect(failure.phases?.connect).toBeGreaterThan(0);
    expect(target.seen).toEqual([]);
  }
});

test("H06: an authority trusted for one request is not trusted for the next", async () => {
  const target = await startSecure(await authority.issue("api.test", "DNS:api.test", 30));
  requireResponse(await target.egress.send(request(target.named, trusted())));
  expect(requireFailure(await target.egress.send(request(target.named))).code).toBe("tls_failed");
});

test("H06: plain HTTP on an https port is named in the failure, and https on an http port is not HTTP", async () => {
  const plain = await startHttpTarget((_incoming, outgoing) => outgoing.end());
  const failure = requireFailure(await openEgress().send(request(`https://127.0.0.1:${plain.port}/`)));
  expect(failure).toMatchObject({ code: "tls_failed", detail: expect.stringContaining("http?") });
});

test("H06: a server that closes during the handshake fails it", async () => {
  const target = await startRawTarget((socket) => socket.once("data", () => socket.destroy()));
  const failure = requireFailure(await openEgress().send(request(`https://127.0.0.1:${target.port}/`)));
  expect(failure).toMatchObject({ code: "tls_failed", phase: "tls" });
});

test("H06: a stalled handshake ends after 10 s, however long the request may take", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let hello: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    hello = resolve;
  });
  const target = await startRawTarget((socket) => socket.once("data", hello));
  let ended = false;
  const sending = openEgress()
    .send(request(`https://127.0.0.1:${target.port}/`, { timeoutMilliseconds: 25_000 }))
    .finally(() => {
      ended = true;
    });
  await begun;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(requireFailure(await sending)).toMatchObject({ code: "timeout", phase: "tls" });
});

test("H06: a stalled handshake ends with the request's own deadline when that is earlier", async () => {
  const target = await startRawTarget(() => {});
  const failure = await requireFailureAfter400(target, () =>
    openEgress().send(request(`https://127.0.0.1:${target.port}/`, within400)),
  );
  expect(failure).toMatchObject({ code: "timeout", phase: "tls" });
  expect(failure.phases?.tls).toBeGreaterThan(0);
});

test("S04: a secret is not redirected from https to http; without one the redirect is followed", async () => {
  const plain = await startHttpTarget((_incoming, outgoing) => outgoing.end("plain"));
  const certificate = await authority.issue("address", "IP:127.0.0.1", 30);
  const server = createServer(certificate, (_incoming, outgoing) =>
    outgoing.writeHead(307, { location: plain.origin }).end(),
  );
  const secure = await start(server, "127.0.0.1", "https");
  const egress = openEgress();
  const changes = { ...trusted(), maxRedirects: 5 };
  const secrets: [string, string][][] = [[["Authorization", "Bearer x"]], [["cookie", "a=b"]], [["X-API-Key", "x"]]];
  for (const headers of secrets) {
    const result = await egress.send(request(secure.origin, { ...changes, headers, secretHeaderNames: ["X-Api-Key"] }));
    expect(requireFailure(result).code).toBe("redirect_not_allowed");
  }
  expect(plain.connections()).toBe(0);
  expect(readText(requireResponse(await egress.send(request(secure.origin, changes))))).toBe("plain");
});
