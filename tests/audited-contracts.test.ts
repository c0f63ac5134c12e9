import { expect, test } from "vitest";
import { apiRegistryContract } from "../services/api-registry/contract/contract.ts";
import type { Contract } from "../services/kit/contract/endpoint.ts";
import { portalServiceContract } from "../services/portal-service/contract/contract.ts";
import { securityServiceContract } from "../services/security-service/contract/contract.ts";
import { testAnalyzerContract } from "../services/test-analyzer/contract/contract.ts";
import { testExecutionerContract } from "../services/test-executioner/contract/contract.ts";
import { testRegistryContract } from "../services/test-registry/contract/contract.ts";

const contracts: Contract[] = [
  apiRegistryContract,
  portalServiceContract,
  securityServiceContract,
  testAnalyzerContract,
  testExecutionerContract,
  testRegistryContract,
];

test("every endpoint that may change something says what is recorded of it, or why nothing is", () => {
  const silent = contracts
    .flatMap((contract) => Object.entries(contract))
    .filter(([, { method, audit }]) => method !== "get" && audit === undefined)
    .map(([name]) => name);
  expect(silent).toEqual([]);
});
