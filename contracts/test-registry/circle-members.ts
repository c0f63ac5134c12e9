import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { orNone } from "../kit/or-none.ts";

/** Set-up runs first, tear-down last: always, whatever the results of the others. */
export const circlePhase = z.enum(["setUp", "main", "tearDown"]);
export type CirclePhase = z.infer<typeof circlePhase>;

/**
 * What a named test may do in a circle that changes only what its run made. `makes`: its 2xx makes something new, which
 * its captures identify; for POST and PUT. `allowed`: it may change anything.
 */
export const memberEffect = z.enum(["makes", "allowed"]);
export type MemberEffect = z.infer<typeof memberEffect>;

const phase = circlePhase.default("main");

/**
 * A test, or a dynamic selection: the enabled tests of an API (optionally those with a tag) at the time of the start,
 * by name, except those the circle names. A test may be named several times.
 */
export const circleMember = z
  .discriminatedUnion("kind", [
    z.object({
      kind: orNone(z.literal("test")).transform(() => "test" as const),
      testId: z.uuid("Choose a test"),
      phase,
      effect: orNone(memberEffect).describe(
        "With `onlyOwn`: `makes` if its 2xx makes something new that its captures identify (POST and PUT), `allowed` if it may change anything. Omitted: it may only change what the run made.",
      ),
    }),
    z.object({
      kind: z.literal("selection"),
      apiId: z.uuid("Choose an API"),
      tag: orNone(displayName(z.string().trim().min(1).max(60))).describe("Only tests with this tag"),
      include: z
        .enum(["safe", "all"])
        .default("safe")
        .describe("`safe` omits tests with methods that may change data (RFC 9110, 9.2.1)."),
      phase,
    }),
  ])
  .openapi("TestCircleMember");
export type CircleMember = z.infer<typeof circleMember>;
