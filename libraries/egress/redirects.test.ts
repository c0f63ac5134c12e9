import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { OutboundRequest } from "./egress.ts";
import { requireFailureAfter400, within400 } from "./testing/deadlines.ts";
import { readText, requireFailure, requireResponse } from "./testing/outcomes.ts";
import { openEgress, request, resolveNames, startHttpTarget, startRawTarget } from "./testing/targets.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Redirects `/to/<status>/<location>` and echoes everything else. */
async function startRedirector() {
  const seen: Seen[] = [];
  const target = await startHttpTarget(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    seen.push({ method: incoming.method!, url: incoming.url!, headers: incoming.headers, body });
    const [, status, location] = /^\/to\/(\d+)\/(.*)$/.exec(incoming.url!) ?? [];
    if (status === undefined) outgoing.end("arrived");
    else outgoing.writeHead(Number(status), { location: decodeURIComponent(location!) }).end("moved");
  });
  return {
    ...target,
    seen,
    to: (status: number, location: string) => `${target.origin}/to/${status}/${encodeURIComponent(location)}`,
  };
}

const secrets: Partial<OutboundRequest> = {
  headers: [
    ["Authorization", "Bearer s3cret"],
    ["Cookie", "a=s3cret"],
    ["X-API-Key", "s3cret"],
    ["X-Upstream", "Bearer s3cret-of-another"],
    ["X-Of-The-House", "s3cret"],
    ["X-Plain", "kept"],
  ],
  secretHeaderNames: ["x-of-the-house"],
  maxRedirects: 5,
};

function secretsIn(seen: Seen | undefined): boolean {
  return JSON.stringify(seen?.headers).includes("s3cret");
}

test("a redirect is returned as the response when none may be followed", async () => {
  const redirector = await startRedirector();
  const result = await openEgress().send(request(redirector.to(302, "/next")));
  expect(requireResponse(result).status).toBe(302);
  expect(readText(requireResponse(result))).toBe("moved");
  expect(result.hops).toEqual([]);
});

test("followed redirects are listed as hops, and the response is that of the last URL", async () => {
  const redirector = await startRedirector();
  const first = redirector.to(301, "/to/308/%2Fend%3Fa%3D1");
  const result = await openEgress().send(request(first, { maxRedirects: 2 }));
  expect(requireResponse(result)).toMatchObject({ status: 200, url: `${redirector.origin}/end?a=1` });
  expect(result.hops).toMatchObject([
    { url: first, method: "GET", status: 301, location: "/to/308/%2Fend%3Fa%3D1" },
    { status: 308, location: "/end?a=1" },
  ]);
  expect(redirector.connections()).toBe(1);
});

test("the method and body change as the fetch standard defines", async () => {
  const redirector = await startRedirector();
  const egress = openEgress();
  const expected: [string, number, string][] = [
    ["POST", 301, "GET"],
    ["POST", 302, "GET"],
    ["POST", 303, "GET"],
    ["POST", 307, "POST"],
    ["POST", 308, "POST"],
    ["PUT", 301, "PUT"],
    ["PUT", 302, "PUT"],
    ["PUT", 303, "GET"],
    ["DELETE", 303, "GET"],
    ["HEAD", 303, "HEAD"],
  ];
  for (const [method, status, then] of expected) {
    const body = method === "HEAD" ? undefined : "payload";
    const headers: [string, string][] = [
      ["Content-Type", "text/plain"],
      ["X-Plain", "kept"],
    ];
    requireResponse(
      await egress.send(request(redirector.to(status, "/end"), { method, body, headers, maxRedirects: 1 })),
    );
    const last = redirector.seen.at(-1)!;
    const keepsBody = then === method && body !== undefined;
    expect([method, status, last.method, last.body]).toEqual([method, status, then, keepsBody ? "payload" : ""]);
    if (body !== undefined) expect(last.headers["content-type"]).toBe(keepsBody ? "text/plain" : undefined);
    expect(last.headers["x-plain"]).toBe("kept");
  }
});

test("S04: a chain ends after at most five redirects, whatever limit was requested", async () => {
  let requests = 0;
  const target = await startHttpTarget((_incoming, outgoing) => {
    requests += 1;
    outgoing.writeHead(302, { location: `/${requests}` }).end();
  });
  const result = await openEgress().send(request(target.origin, { maxRedirects: 25 }));
  expect(requireFailure(result).code).toBe("too_many_redirects");
  expect(requests).toBe(6);
  expect(result.hops).toHaveLength(6);
});

test("S04: a redirect loop fails with too many redirects", async () => {
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.writeHead(307, { location: "/" }).end());
  const result = await openEgress().send(request(target.origin, { maxRedirects: 3, method: "POST", body: "x" }));
  expect(requireFailure(result).code).toBe("too_many_redirects");
  expect(result.hops).toHaveLength(4);
});

test("S04: secrets are sent to their own origin only", async () => {
  const home = await startRedirector();
  const elsewhere = await startRedirector();
  const egress = openEgress();
  for (const status of [301, 302, 303, 307, 308]) {
    requireResponse(await egress.send(request(home.to(status, "/same"), secrets)));
    expect(secretsIn(home.seen.at(-1))).toBe(true);
    requireResponse(await egress.send(request(home.to(status, `${elsewhere.origin}/other`), secrets)));
    expect(secretsIn(elsewhere.seen.at(-1))).toBe(false);
    expect(elsewhere.seen.at(-1)?.headers["x-plain"]).toBe("kept");
  }
});

test("S04: another port, another scheme and another spelling of the host are another origin", async () => {
  const home = await startRedirector();
  const egress = openEgress();
  requireResponse(await egress.send(request(home.to(307, `http://localhost:${home.port}/other`), secrets)));
  expect(secretsIn(home.seen.at(-1))).toBe(false);
});

test("S04: dropped secrets are not restored when the chain returns", async () => {
  const home = await startRedirector();
  const elsewhere = await startRedirector();
  requireResponse(await openEgress().send(request(home.to(307, elsewhere.to(307, `${home.origin}/back`)), secrets)));
  expect(secretsIn(home.seen[0])).toBe(true);
  expect(secretsIn(home.seen.at(-1))).toBe(false);
});

test("L02: secrets bound to an origin are not sent to any other, not even in the first request", async () => {
  const home = await startRedirector();
  const elsewhere = await startRedirector();
  const egress = openEgress();
  requireResponse(
    await egress.send(request(`${home.origin}/a`, { ...secrets, sendSecretsTo: `${home.origin}/some/path` })),
  );
  expect(secretsIn(home.seen.at(-1))).toBe(true);
  requireResponse(await egress.send(request(`${elsewhere.origin}/a`, { ...secrets, sendSecretsTo: home.origin })));
  requireResponse(await egress.send(request(`${elsewhere.origin}/a`, { ...secrets, sendSecretsTo: "not an origin" })));
  expect(elsewhere.seen.map(secretsIn)).toEqual([false, false]);
});

test("S04: a redirect to a blocked address is refused like the address itself, without a connection", async () => {
  const redirector = await startRedirector();
  const canary = await startRawTarget(() => {});
  const names = resolveNames({ "home.test": ["127.0.0.1"], "rebound.test": ["127.0.0.1"], localhost: ["::1"] });
  const egress = openEgress({
    allowLoopback: false,
    allow: [{ kind: "name", name: "home.test", port: redirector.port }],
    resolve: names.resolve,
  });
  const blocked = [
    `http://127.0.0.1:${canary.port}/`,
    `//127.0.0.1:${canary.port}/`,
    `http://2130706433:${canary.port}/`,
    `http://0x7f.1:${canary.port}/`,
    `http://017700000001:${canary.port}`,
    `http://[::ffff:127.0.0.1]:${canary.port}/`,
    `http://0.0.0.0:${canary.port}/`,
    `http://localhost:${canary.port}/`,
    `http://rebound.test:${canary.port}/`,
    "http://169.254.169.254/latest/meta-data/",
    `\\\\127.0.0.1:${canary.port}/`,
    `http://127.0.0.1:${redirector.port}/self`,
  ];
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of blocked) {
      const url = redirector.to(status, location).replace("127.0.0.1", "home.test");
      const result = await egress.send(request(url, { maxRedirects: 5 }));
      expect([location, requireFailure(result).code]).toEqual([location, "target_not_allowed"]);
    }
  }
  expect(canary.connections()).toBe(0);
});

test("S04: a redirect to another scheme, to credentials or to an unreadable URL is not followed", async () => {
  const redirector = await startRedirector();
  const egress = openEgress();
  const locations = [
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_x",
    "data:text/plain,x",
    "ftp://a/",
    "http://u:p@127.0.0.1/",
    "http://[",
    "http://127.0.0.1:99999/",
  ];
  for (const location of locations) {
    const failure = requireFailure(await egress.send(request(redirector.to(302, location), { maxRedirects: 5 })));
    expect([location, failure.code]).toEqual([location, "redirect_not_allowed"]);
  }
});

test("a redirect's long body is not read to its end", async () => {
  const target = await startHttpTarget((incoming, outgoing) => {
    if (incoming.url === "/end") outgoing.end("arrived");
    else outgoing.writeHead(302, { location: "/end" }).write(Buffer.alloc(200_000));
  });
  const response = requireResponse(await openEgress().send(request(target.origin, { maxRedirects: 1 })));
  expect(readText(response)).toBe("arrived");
});

test("a redirect without a Location is the response", async () => {
  const target = await startHttpTarget((_incoming, outgoing) => outgoing.writeHead(302).end("where?"));
  expect(readText(requireResponse(await openEgress().send(request(target.origin, { maxRedirects: 5 }))))).toBe(
    "where?",
  );
});

test("a Location beyond ASCII is read as UTF-8", async () => {
  const target = await startHttpTarget((incoming, outgoing) => {
    if (incoming.url !== "/") return void outgoing.end(incoming.url);
    outgoing.writeHead(302, { location: Buffer.from("/käse").toString("latin1") }).end();
  });
  const response = requireResponse(await openEgress().send(request(target.origin, { maxRedirects: 1 })));
  expect(readText(response)).toBe("/k%C3%A4se");
});

test("one deadline covers all hops", async () => {
  const target = await startHttpTarget((incoming, outgoing) => {
    setTimeout(() => outgoing.writeHead(302, { location: `/${Number(incoming.url!.slice(1)) + 1}` }).end(), 120);
  });
  const failure = await requireFailureAfter400(target, () =>
    openEgress().send(request(`${target.origin}/0`, { maxRedirects: 5, ...within400 })),
  );
  // No single hop takes that long: with a deadline per hop, the fifth redirect would end the chain.
  expect(failure.code).toBe("timeout");
});
