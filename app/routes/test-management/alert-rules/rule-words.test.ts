import { expect, test } from "vitest";
import { alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import { ruleWords } from "./rule-words";

test("a rule is a sentence, and each unusual setting adds another", () => {
  const usual = alertPolicy.parse({ afterRuns: 1 });
  expect(ruleWords({ rule: usual, channels: [] })).toBe(
    "When a test fails once, open an incident of high severity and alert no one.",
  );
  const rule = alertPolicy.parse({
    ...{ afterRuns: 2, afterMinutes: 30, severity: "critical", remindHours: 4, onRecovery: false, onBurn: false },
    quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Madrid" },
  });
  expect(ruleWords({ rule, channels: ["Team", "Pager"], subject: "a test of Example shop" })).toBe(
    "When a test of Example shop fails 2 times in a row or has been failing for 30 minutes, open an incident of critical severity and alert Team and Pager. Remind them every 4 hours. Recovery is not alerted. Fast-burning error budgets are not alerted. Quiet hours are from 22:00 to 07:00 Europe/Madrid.",
  );
});
