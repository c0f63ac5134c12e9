import { expect, test } from "vitest";
import { isOfThisMachine } from "./this-machine.ts";

test("an address of this machine can't be reached by a runner", () => {
  expect(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"].map(isOfThisMachine)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["https://portal.example.com", "https://localhost.example.com"].map(isOfThisMachine)).toEqual([false, false]);
});
