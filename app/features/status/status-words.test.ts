import { expect, test } from "vitest";
import { countMeasured, headline } from "./status-words";

type Status = Parameters<typeof headline>[0];
const of = (...standings: Status["standing"][]) =>
  standings.map((standing) => ({ standing, name: standing })) as unknown as Status["components"];

test("a page says how many of its components have problems", () => {
  expect(headline({ standing: "operational", components: of("operational", "operational") })).toBe("All systems work");
  expect(headline({ standing: "degraded", components: of("degraded", "operational") })).toBe(
    "1 of 2 components has problems",
  );
  expect(headline({ standing: "degraded", components: of("degraded", "down", "operational", "unknown") })).toBe(
    "2 of 4 components have problems",
  );
  expect(headline({ standing: "down", components: of("down") })).toBe("It is down");
  expect(headline({ standing: "unknown", components: of("unknown", "unknown") })).toBe("Not checked yet");
});

test("days without results are not measured", () => {
  expect(countMeasured([{ share: null }, { share: 0 }, { share: 1 }])).toBe(2);
});
