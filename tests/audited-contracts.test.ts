import { expect, test } from "vitest";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Contract } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";

const contracts: Contract[] = [
  apiRegistryContract,
  portalServiceContract,
  securityServiceContract,
  testAnalyzerContract,
  testExecutionerContract,
  testRegistryContract,
];

test("every endpoint that may change something declares its audit record, or why there is none", () => {
  const silent = contracts
    .flatMap((contract) => Object.entries(contract))
    .filter(([, { method, audit }]) => method !== "get" && audit === undefined)
    .map(([name]) => name);
  expect(silent).toEqual([]);
});
