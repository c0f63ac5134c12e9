import { expect, test } from "vitest";
import { quotedName } from "./quoted-name.ts";

test("an ordinary name is unchanged", () => {
  for (const name of ["Acme Inc.", "Zoë Müller-Ørsted", "L'Été & Fils (1998)", "東京 株式会社"])
    expect(quotedName(name)).toBe(name);
});

test("addresses in a name are broken so that no mail client links them", () => {
  expect(quotedName("Pay at https://evil.com/x")).toBe("Pay at https: / / evil. com/ x");
  expect(quotedName("www．evil．com")).toBe("www. evil. com");
  expect(quotedName("help@evil.com")).toBe("help@ evil. com");
});

test("line breaks, invisible characters and direction overrides are removed", () => {
  expect(quotedName("Acme\r\nBcc: x\u202e\u200b!")).toBe("Acme Bcc: x!");
});

test("a name longer than a hundred characters is cut between characters", () => {
  expect([...quotedName("😀".repeat(120))]).toHaveLength(100);
});
