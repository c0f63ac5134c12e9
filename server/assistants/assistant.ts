import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { CallResult } from "../../services/kit/client/client.ts";
import type { Wiring } from "../wiring.ts";

/** One request of an assistant: the services, called with the API token that came with it. */
export interface Assistant {
  services: { [Name in keyof Wiring["connections"]]: ReturnType<Wiring["connections"][Name]> };
  /** Scopes of its token. */
  scopes: ReadonlySet<string>;
  /** The portal's public address. */
  origin: string;
}

/** What a tool can't do, in a sentence for the assistant and the person behind it. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    message: string,
    readonly errors: { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

function describeRefusal({ code, detail, errors }: ProblemDetails): Refused {
  if (code === "forbidden")
    return new Refused(
      "This API token lacks the required scope. Its owner can create one with it on the portal's page Profile, API tokens.",
    );
  if (code === "unauthenticated")
    return new Refused("This API token is no longer valid: it has expired, was revoked, or its owner's roles changed.");
  return new Refused(detail, errors);
}

/** @throws Refused with the reason, where the service refused */
export function requireAnswer<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  throw describeRefusal(result.problem);
}

/** For additions to an answer, which is worth giving without them. */
export function answerOrNone<Value>(result: CallResult<Value>): Value | undefined {
  return result.ok ? result.value : undefined;
}
