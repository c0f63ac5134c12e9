import { useRouteLoaderData } from "@remix-run/react";
import type { Execution } from "../../../../services/test-executioner/contract/executions.ts";

/** The execution that the layout (route id `execution`) has loaded, for the pages below it. */
export function useExecution(): Execution {
  const loaded = useRouteLoaderData("execution") as { execution: Execution } | undefined;
  if (!loaded) throw new Error("This page stands below the route `execution`.");
  return loaded.execution;
}
