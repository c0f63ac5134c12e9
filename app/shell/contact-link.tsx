import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/root";

/** The contact for visitors, as configured by the operator. */
export function ContactLink() {
  const address = useRouteLoaderData<typeof loader>("root")?.contactAddress ?? "";
  return <a href={`mailto:${address}`}>{address}</a>;
}
