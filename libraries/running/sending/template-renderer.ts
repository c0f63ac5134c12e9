import { randomInt, randomUUID } from "node:crypto";
import type { Clock } from "../../clock/clock.ts";
import { type generatedNames, nothing } from "../../template/placeholders.ts";
import { type FindVariable, notSent, TemplateRenderer } from "../variables.ts";

/** Variables of every request, in addition to the run's. */
export function createTemplateRenderer(find: FindVariable, clock: Clock): TemplateRenderer {
  const made = new Map<string, string>();
  const makers: Record<(typeof generatedNames)[number], () => string> = {
    $uuid: randomUUID,
    $guid: randomUUID,
    $timestamp: () => String(Math.floor(clock.now().getTime() / 1_000)),
    $isoTimestamp: () => clock.now().toISOString(),
    $randomInt: () => String(randomInt(0, 1_000)),
  };
  return new TemplateRenderer((name) => {
    if (name === nothing) return notSent;
    const given = find(name) ?? made.get(name);
    if (given !== undefined || !Object.hasOwn(makers, name)) return given;
    // One value per request: a test may send it and expect it back.
    const value = makers[name as keyof typeof makers]();
    made.set(name, value);
    return value;
  });
}
