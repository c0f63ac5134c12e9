import { expect, onTestFinished, test } from "vitest";
import { createEgress, parseEgressAllow } from "./egress.ts";
import { request, startHttpTarget } from "./testing/targets.ts";

test("a changed allow-list applies from the next request, also to connections kept alive", async () => {
  const target = await startHttpTarget((_, response) => response.end("here"));
  const policy = { allow: parseEgressAllow(""), allowLoopback: false, ownTargets: [] };
  const egress = createEgress({ policy });
  onTestFinished(() => egress.close());
  const outcome = async () => (await egress.send(request(target.origin))).outcome;
  expect(await outcome()).toBe("failed");
  policy.allow = parseEgressAllow(`127.0.0.1:${target.port}`);
  expect([await outcome(), await outcome(), target.connections()]).toEqual(["answered", "answered", 1]);
  policy.allow = [];
  expect(await outcome()).toBe("failed");
  policy.allow = parseEgressAllow("loopback");
  expect([await outcome(), target.connections()]).toEqual(["answered", 2]);
});
