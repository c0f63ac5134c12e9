import { expect, test } from "vitest";
import { available, mistypedAddress, required } from "./responses";

function refusal(status: number, code: "malformed_request" | "not_found" | "internal_error" | "forbidden") {
  return { ok: false, status, problem: { type: "about:blank", title: "", status, code, detail: "why" } } as const;
}

function responseThrown(act: () => unknown): Response {
  try {
    act();
  } catch (thrown) {
    return thrown as Response;
  }
  throw new Error("nothing was thrown");
}

const statusThrown = (act: () => unknown) => responseThrown(act).status;

test("an invalid address is answered as a missing page, without naming the call", async () => {
  const response = responseThrown(() => required(refusal(400, "malformed_request")));
  expect(response.status).toBe(404);
  expect((await response.json()).detail).toBe(mistypedAddress);
  expect(statusThrown(() => required(refusal(404, "not_found")))).toBe(404);
});

test("an optional part is left out when its service fails, but not when the viewer lacks permission", () => {
  expect(available(refusal(500, "internal_error"))).toBeUndefined();
  expect(statusThrown(() => available(refusal(403, "forbidden")))).toBe(403);
});
