import { expect, test } from "vitest";
import { atPublicOrigin, findRefusal, getPublicOrigin, refusalOfData } from "./request-origin";

const origin = "https://portal.example.com";

function post(headers: Record<string, string>, url = `${origin}/login`) {
  return new Request(url, { method: "POST", headers });
}

test("W02: the public address is the configured one, whatever Host says", () => {
  expect(getPublicOrigin(new Request("https://evil.test/x"), `${origin}/`)).toBe(origin);
});

test("without a configured address only loopback names are accepted", () => {
  expect(getPublicOrigin(new Request("http://localhost:3000/"), undefined)).toBe("http://localhost:3000");
  expect(getPublicOrigin(new Request("http://[::1]:3000/"), undefined)).toBe("http://[::1]:3000");
  expect(getPublicOrigin(new Request("http://rebound.test:3000/"), undefined)).toBeUndefined();
});

test("W02: another host name is refused, unless a trusted proxy forwarded it", () => {
  const request = new Request("http://portal-1:3000/");
  expect(findRefusal(request, origin, false)).toMatchObject({
    status: 421,
    sentence: expect.stringMatching(/PUBLIC_URL.*TRUSTED_PROXIES/),
  });
  expect(findRefusal(request, origin, true)).toBeUndefined();
});

test.each([
  ["no origin at all", {}],
  ["another origin", { origin: "https://evil.test" }],
  ["a sibling domain", { origin: "https://evil.example.com" }],
  ["another port", { origin: "https://portal.example.com:444" }],
  ["another scheme", { origin: "http://portal.example.com" }],
  ["an opaque origin", { origin: "null" }],
  ["a cross-site request", { origin, "sec-fetch-site": "cross-site" }],
  ["a same-site request", { origin, "sec-fetch-site": "same-site" }],
  ["an opaque origin that claims the same site", { origin: "null", "sec-fetch-site": "same-origin" }],
])("W01: a change with %s is refused", (_, headers) => {
  expect(findRefusal(post(headers as Record<string, string>), origin, false)?.status).toBe(403);
});

test("a change from a page of the portal is accepted", () => {
  expect(findRefusal(post({ origin, "sec-fetch-site": "same-origin" }), origin, false)).toBeUndefined();
  expect(findRefusal(post({ origin }), origin, false)).toBeUndefined();
});

test("after the origin check every request has the public address, with its method, path and body", async () => {
  const received = new Request("http://portal-1:3000//evil.test/x?y=1", {
    method: "POST",
    headers: { host: "portal-1:3000", "x-forwarded-host": "evil.test", cookie: "a=b" },
    body: "text",
  });
  const request = atPublicOrigin(received, origin);
  expect(request.url).toBe(`${origin}//evil.test/x?y=1`);
  expect(request.headers.get("host")).toBe("portal.example.com");
  expect(request.headers.get("x-forwarded-host")).toBeNull();
  expect(request.headers.get("cookie")).toBe("a=b");
  expect(await request.text()).toBe("text");
});

test("T02: Remix's data endpoints are not available at pages", () => {
  expect(refusalOfData(new Request(`${origin}/dashboard?x=1&_data=root`))?.status).toBe(404);
  expect(refusalOfData(new Request(`${origin}/__manifest?version=1&p=/dashboard`))?.status).toBe(404);
  expect(refusalOfData(new Request(`${origin}/dashboard?data=root`))).toBeUndefined();
});

test("a page's address may end like those of Remix's data", () => {
  const url = (path: string) => atPublicOrigin(new Request(origin + path), origin).url;
  expect(url("/administration/credentials/domain/example.data?x=1")).toBe(
    `${origin}/administration/credentials/domain/example%2Edata?x=1`,
  );
  expect(url("/dashboard")).toBe(`${origin}/dashboard`);
});
