import type { data } from "@remix-run/node";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import type { MakeReply } from "./making";
import type { MakeFilters } from "./plan.server";

/** A pressed button of the page. */
export interface MakeRequest {
  viewer: Viewer;
  context: PortalContext;
  apiId: string;
  form: FormData;
  filters: MakeFilters;
  runKey: string;
}

export type MakeResponse = Response | ReturnType<typeof data<MakeReply>>;
