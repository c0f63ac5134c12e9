import { type Test, testInput } from "#contracts/test-registry/tests.ts";
import { readTags } from "~/features/test-editor/tags";
import type { Viewer } from "~/session/guards";
import { plural } from "~/ui/count/plural";
import { changeOne, type Toast } from "./list-changes.server";

type Tagged = { done: Toast } | { typed: string; error: string };

const list = new Intl.ListFormat("en");

/** Adds tags to tests or removes them, in sequence; tests that can't be changed are skipped and reported with the reason. */
export async function tagAll(viewer: Viewer, tests: readonly Test[], typed: string, adds: boolean): Promise<Tagged> {
  const read = testInput.shape.tags.safeParse(readTags(typed));
  if (!read.success) return { typed, error: "At most 20 tags of at most 60 characters" };
  const tags = read.data;
  if (tags.length === 0) return { typed, error: "Enter a tag" };
  const refused: string[] = [];
  let changed = 0;
  for (const test of tests) {
    const wanted = adds ? [...new Set([...test.tags, ...tags])] : test.tags.filter((tag) => !tags.includes(tag));
    if (wanted.length === test.tags.length) continue;
    const reason = await changeOne(viewer, test, { tags: wanted });
    if (reason === undefined) changed += 1;
    else refused.push(`${test.name}: ${reason}`);
  }
  return { done: inWords({ tags, adds, changed, refused }) };
}

interface Outcome {
  tags: string[];
  adds: boolean;
  changed: number;
  refused: string[];
}

function inWords({ tags, adds, changed, refused }: Outcome): Toast {
  const change = adds ? "added to" : "removed from";
  const done = `${list.format(tags)} ${change} ${plural(changed, "test")}.`;
  if (refused.length === 0) return done;
  return { title: done, message: refused.slice(0, 3).join(" "), variant: "warning" };
}
