import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { deletionInWords, RuleUseWords } from "./rule-use-words";

const rule = (name: string, isOnlyChannel = false) => ({ name, address: undefined, isOnlyChannel });
const organization = { ...rule("the organization"), address: "/rules" };

test("a channel lists the rules that notify it, each linked to its page", () => {
  const words = (use: Parameters<typeof RuleUseWords>[0]["use"]) => renderToStaticMarkup(<RuleUseWords use={use} />);
  expect(words({ rules: [], more: 0 })).toContain("No alert rule uses it yet");
  expect(words({ rules: [rule("Bookshop")], more: 0 })).toBe("It is used by the rule of Bookshop.");
  expect(words({ rules: [organization, rule("Bookshop")], more: 2 })).toBe(
    'It is used by the rules of <a href="/rules">the organization</a>, Bookshop, and 2 more.',
  );
});

test("before a channel is deleted its page says which rules remain without it, and which then notify no channel", () => {
  expect(deletionInWords({ rules: [rule("Bookshop", true)], more: 0 })).toBe(
    "The alert rule of Bookshop will no longer notify it, and has no other channel. Its deliveries are deleted with it. This can't be undone.",
  );
  const several = { rules: [organization, rule("Bookshop", true), rule("Orders", true)], more: 0 };
  expect(deletionInWords(several)).toContain(
    "The alert rules of the organization, Bookshop, and Orders will no longer notify it. Those of Bookshop and Orders have no other channel.",
  );
  expect(deletionInWords({ rules: [organization, rule("Orders", true)], more: 0 })).toContain(
    "That of Orders has no other channel.",
  );
});
