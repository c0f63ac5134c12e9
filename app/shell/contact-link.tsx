import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/root";

/** Whom visitors write to, as the operator configured it. */
export function ContactLink() {
  const address = useRouteLoaderData<typeof loader>("root")?.contactAddress ?? "";
  return <a href={`mailto:${address}`}>{address}</a>;
}
