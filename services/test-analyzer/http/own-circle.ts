import { notFound } from "#contracts/kit/problem.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { requireFromService } from "./service-result.ts";

/** @throws Problem when the circle belongs to another organization */
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
