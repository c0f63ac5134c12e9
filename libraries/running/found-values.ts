import type { Clock } from "../clock/clock.ts";
import { placeholderPattern } from "../template/placeholders.ts";
import { createTemplateRenderer } from "./sending/template-renderer.ts";
import type { TestToRun } from "./test-to-run.ts";
import type { TemplateRenderer, Variable } from "./variables.ts";

type Given = Pick<TestToRun, "row" | "captures" | "findVariable">;

/**
 * The values of a test: those of its row precede captures, and these precede variables. A row's value may itself use
 * captures, variables and generated values, but nothing of its row; one that is a whole placeholder keeps its type.
 */
export function createTemplates({ row, captures, findVariable }: Given, clock: Clock): TemplateRenderer {
  const captured = new Map(
    captures.map(({ name, value, type, isAbsent }) => [name, isAbsent ? undefined : { text: value, type }]),
  );
  const find = (name: string): Variable | undefined => (captured.has(name) ? captured.get(name) : findVariable(name));
  if (!row || !Object.values(row).some((text) => text.includes("{{"))) {
    return createTemplateRenderer((name) => row?.[name] ?? find(name), clock);
  }
  const ofRow = createTemplateRenderer(find, clock);
  const templates = createTemplateRenderer((name) => {
    const text = row[name];
    if (text === undefined) return find(name);
    const value = findWholeName(text) === undefined ? ofRow.render(text) : (ofRow.findWhole(text) ?? text);
    for (const missing of ofRow.missing) templates.missing.add(missing);
    return value;
  }, clock);
  return templates;
}

/** The name in a text that is one placeholder and nothing else. */
export function findWholeName(text: string): string | undefined {
  const [match, ...others] = text.matchAll(placeholderPattern());
  return match && others.length === 0 && match[0] === text.trim() ? match[1] : undefined;
}

/** The name beyond a row whose value a name has: its own, or the one that is all of the row's value for it. */
export function followRow(row: TestToRun["row"], name: string): string | undefined {
  const text = row?.[name];
  return text === undefined ? name : findWholeName(text);
}
