import { expect, test } from "vitest";
import { deletionInWords, useInWords } from "./rule-words";

const rule = (name: string, isOnlyChannel = false) => ({ name, isOnlyChannel });

test("a channel says which rules tell it", () => {
  expect(useInWords({ rules: [], more: 0 })).toContain("No alert rule tells it yet");
  expect(useInWords({ rules: [rule("Bookshop")], more: 0 })).toBe("It is told by the rule of Bookshop.");
  expect(useInWords({ rules: [rule("the organization"), rule("Bookshop")], more: 2 })).toBe(
    "It is told by the rules of the organization, Bookshop, and 2 more.",
  );
});

test("before a channel is deleted its page says whose rules go on without it, and which then tell nobody", () => {
  expect(deletionInWords({ rules: [rule("Bookshop", true)], more: 0 })).toBe(
    "The alert rule of Bookshop goes on without it. It then tells nobody. Its deliveries are deleted with it. This can't be undone.",
  );
  const several = { rules: [rule("the organization"), rule("Bookshop", true), rule("Orders", true)], more: 0 };
  expect(deletionInWords(several)).toContain(
    "The alert rules of the organization, Bookshop, and Orders go on without it. Those of Bookshop and Orders then tell nobody.",
  );
  expect(deletionInWords({ rules: [rule("the organization"), rule("Orders", true)], more: 0 })).toContain(
    "That of Orders then tells nobody.",
  );
});
