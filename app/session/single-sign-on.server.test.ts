import { expect, test } from "vitest";
import { findOriginError } from "./single-sign-on.server";

const to = (returnTo: string) => `https://login.example.com/?redirect_uri=${encodeURIComponent(returnTo)}`;

test("a sign-in continues at the host of its cookie, and nowhere else", () => {
  const error = (publicOrigin: string) => findOriginError({ publicOrigin }, to("http://127.0.0.1:3000/login/return"));
  expect(error("http://127.0.0.1:3000")).toBeUndefined();
  expect(error("http://localhost:3000")).toContain("Open it at http://127.0.0.1:3000.");
});
