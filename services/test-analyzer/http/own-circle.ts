import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { notFound } from "../../kit/problem/problem.ts";
import type { Circle } from "../../test-registry/contract/circles.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import { requireFromService } from "./service-answer.ts";

/** @throws Problem where the circle is not of the caller's organization */
export async function requireCircle(
  testRegistry: Connect<typeof testRegistryContract>,
  { token }: Pick<Identity, "token">,
  testCircleId: string,
  requestId: string,
): Promise<Circle> {
  const found = await testRegistry({ token, requestId }).getCircle({ params: { testCircleId } });
  if (found.status === 404) throw notFound("test circle");
  return requireFromService(found);
}
