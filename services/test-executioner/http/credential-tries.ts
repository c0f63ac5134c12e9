import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRequest } from "#contracts/test-registry/requests.ts";
import type { Hiding } from "#libraries/running/hiding/hiding.ts";
import { prepareRequest, type SendingParts } from "#libraries/running/sending/preparing.ts";
import { createTemplateRenderer } from "#libraries/running/sending/template-renderer.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { sendOnce } from "./sent-once.ts";

const timeoutMilliseconds = 30_000;

function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw wrongUrl("Enter a URL, e.g. https://api.example.com/me");
  if (url.username || url.password) throw wrongUrl("Leave out the user name and password: the credential is sent");
  return url;
}

function wrongUrl(message: string): Problem {
  return new Problem("invalid_input", undefined, { errors: [{ path: "url", message }] });
}

export function createCredentialTryHandlers(
  parts: SendingParts & { hiding: Hiding },
): Pick<Handlers<typeof testExecutionerContract>, "tryCredential"> {
  return {
    async tryCredential({ caller, body, request: call }) {
      const { credentialId } = body;
      const { origin, pathname, search } = readTarget(body.url);
      const built = await prepareRequest(parts, {
        organizationId: caller.organizationId,
        method: "get",
        path: pathname + search,
        request: testRequest.parse({
          authorization: { kind: "credentials", bindings: [{ schemeName: "", credentialId }] },
        }),
        baseUrls: [origin],
        operation: undefined,
        findOperation: async () => undefined,
        isConfirmed: true,
        templates: createTemplateRenderer(() => undefined, parts.clock),
      });
      if (!built.ok && built.cause.code === "credential_missing") throw notFound("credential");
      if (!built.ok && built.cause.code === "credential_refused") {
        throw wrongUrl("This URL is not of the credential's domain, so nothing was sent");
      }
      return await sendOnce(parts, built, timeoutMilliseconds, call.signal);
    },
  };
}
