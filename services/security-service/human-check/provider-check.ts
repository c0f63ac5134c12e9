import type { Logger } from "pino";
import { z } from "zod";
import type { Egress } from "#libraries/egress/egress.ts";
import type { HumanCheckProvider } from "./provider.ts";
import type { VisitorCheck } from "./visitor-check.ts";

const timeoutMilliseconds = 5_000;
const judgement = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

function readJudgement(body: Uint8Array): z.infer<typeof judgement> | undefined {
  try {
    return judgement.safeParse(JSON.parse(Buffer.from(body).toString())).data;
  } catch {
    return undefined;
  }
}

/** Calls the configured provider. One that is unavailable or refuses our secret leaves the check undecided. */
export function createProviderCheck(options: {
  provider: HumanCheckProvider;
  egress: Egress;
  log: Logger;
}): VisitorCheck {
  const { siteKey, scriptUrl, secret, verifyUrl } = options.provider;
  return {
    ask: async () => ({ kind: "provider", siteKey, scriptUrl }),
    async judge(token, clientAddress) {
      const form = new URLSearchParams({ secret, response: token });
      if (clientAddress) form.set("remoteip", clientAddress);
      const result = await options.egress.send({
        url: verifyUrl,
        method: "POST",
        headers: [
          ["content-type", "application/x-www-form-urlencoded"],
          ["accept", "application/json"],
        ],
        body: form.toString(),
        timeoutMilliseconds,
        maxRedirects: 0,
        maxBodyBytes: 65_536,
      });
      const answered = result.outcome === "answered" ? readJudgement(result.response.body) : undefined;
      const errors = answered?.["error-codes"] ?? [];
      if (answered?.success) return "right";
      // All three providers use the same code for a refused secret; the operator has to fix it, not the visitor.
      if (answered && !errors.some((error) => error.endsWith("-input-secret"))) return "wrong";
      options.log.warn(
        {
          verifyUrl,
          faults: errors,
          ...(result.outcome === "failed" ? { failure: result.failure.code } : { status: result.response.status }),
        },
        "the human check's provider could not be asked; visitors are admitted as if they had no token",
      );
      return "undecided";
    },
  };
}
