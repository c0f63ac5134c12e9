import { expect, test } from "vitest";
import { planIdFor } from "./plan-id.ts";

test("a plan's id derives from its name and is unique", () => {
  expect(planIdFor("Team", [])).toBe("team");
  expect(planIdFor(" Équipe & Co. (2026) ", [])).toBe("equipe-co-2026");
  expect(planIdFor("Team", ["team", "team-2"])).toBe("team-3");
  expect(planIdFor("Create", [])).toBe("create-2");
  expect(planIdFor("团队", [])).toBe("plan");
});
